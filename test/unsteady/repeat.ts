/**
 * After a target of `.ci/run` has failed: repeats its failed files, as `repeat.ts RECORD BLOCK COUNTS` in the
 * repository. One unsteady test among
 * ten thousand must not undo a day's work, and must not pass unseen either: a file that passes every time is reported in
 * BLOCK, which ends the log, and COUNTS then counts it as passed. It is a defect all the same, of the test or of the product.
 *
 * Exits with 1, and changes nothing, when a file fails again, when one must not be repeated, or when something else failed.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { FailedFile, RunRecord } from './failed-files.ts';

const VITEST = 'node_modules/vitest/vitest.mjs';
const REPETITIONS = 3;
/** If more fail, it is not for an unsteady test. */
const MOST_FILES = 3;
/** Output of one repetition, with that of its neighbours. */
const MOST_OUTPUT_BYTES = 64 * 1024 ** 2;

/** Breaking things at random, or looking for a counterexample: what is found once is found, and a repetition would hide it. */
const FOUND_ONCE = /^test\/(faults|long|property)\/|chaos|fuzzing|histories|leakage|look-ahead|upgrade/;

if (import.meta.main) {
  const [record, block, counts] = process.argv.slice(2) as [string, string, string];
  const refusal = repeatFailed(record, block, counts);
  if (refusal) process.stdout.write(`\nNot repeated, or not steady: ${refusal}\n`);
  process.exitCode = refusal ? 1 : 0;
}

function repeatFailed(record: string, block: string, counts: string): string | undefined {
  const run = recordOf(record);
  if (!run) return 'the tests did not end, or something before them failed';
  const refusal = refusalOf(run);
  if (refusal) return refusal;
  const reports: string[] = [];
  for (const failed of run.files) {
    const outputs = repetitionsOf(failed);
    if (outputs.length < REPETITIONS) return `${failed.file} failed again`;
    reports.push(reportOf(failed, outputs));
  }
  const report = `\nunsteady:\n${reports.join('\n')}`;
  process.stdout.write(report);
  writeFileSync(block, report);
  writeFileSync(counts, `${run.passed + run.failed} passed, 0 failed\n`);
  return undefined;
}

function recordOf(file: string): RunRecord | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as RunRecord;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function refusalOf({ files, unhandled }: RunRecord): string | undefined {
  if (unhandled.length > 0) return `an error of no test: ${unhandled[0]}`;
  if (files.length === 0) return 'no test failed, but the target did';
  if (files.length > MOST_FILES) return `${files.length} files failed`;
  const once = files.find(({ file }) => failsAtOnce(file));
  return once && `${once.file} looks for faults, and what it finds once is found`;
}

/** Whether a failure of this test file counts at once. Also properties, whose seed makes them repeat what they found. */
export function failsAtOnce(file: string): boolean {
  const source = readFileSync(file, 'utf8');
  const imported = [...source.matchAll(/^import '\.\/(.+)'/gm)].map(([, name]) =>
    path.join(path.dirname(file), name!),
  );
  return FOUND_ONCE.test(file) || /from 'fast-check'/.test(source) || imported.some(failsAtOnce);
}

/** The outputs of the repetitions under the conditions of the failure, up to the first that fails. */
function repetitionsOf({ file, neighbours }: FailedFile): string[] {
  const outputs: string[] = [];
  for (let at = 1; at <= REPETITIONS; at++) {
    process.stdout.write(
      `\nRepeating ${file} with ${neighbours.length} others (${at} of ${REPETITIONS}) …\n`,
    );
    const { TEST_COUNTS: _counts, TEST_FAILURES: _failures, ...env } = process.env;
    const { status, stdout, stderr } = spawnSync(process.execPath, [VITEST, 'run', file, ...neighbours], {
      env,
      encoding: 'utf8',
      maxBuffer: MOST_OUTPUT_BYTES,
    });
    if (status !== 0) {
      process.stdout.write(stdout + stderr);
      break;
    }
    outputs.push(stdout + stderr);
  }
  return outputs;
}

function reportOf({ file, neighbours, output }: FailedFile, outputs: string[]): string {
  return [
    `${file} failed once and passed ${outputs.length} times, seed ${process.env['FUZZ_SEED'] ?? '1'}, beside ${neighbours.length} files`,
    'What failed:',
    output,
    'What passed:',
    outputs.at(-1)!,
  ].join('\n');
}
