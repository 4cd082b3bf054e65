import { appendFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import type { Reporter, TestModule } from 'vitest/node';

/** What one run of vitest leaves for `.ci/run`, which may repeat its failed files. */
export interface RunRecord {
  passed: number;
  failed: number;
  /** Failures of no file. Nothing can be repeated then. */
  unhandled: string[];
  files: FailedFile[];
}

export interface FailedFile {
  file: string;
  project: string;
  /** Files that ran at some time while this one did, which may be why it failed. */
  neighbours: string[];
  /** What its failed tests said, in full. */
  output: string;
}

interface Span {
  file: string;
  started: number;
  ended: number;
}

/** Appends a {@link RunRecord} as a line of JSON to the file that TEST_FAILURES names. */
export default class FailedFiles implements Reporter {
  readonly #spans = new Map<string, Span>();

  onTestModuleQueued(module: TestModule): void {
    this.#spans.set(module.id, {
      file: module.relativeModuleId,
      started: performance.now(),
      ended: Infinity,
    });
  }

  onTestModuleEnd(module: TestModule): void {
    const span = this.#spans.get(module.id);
    if (span) span.ended = performance.now();
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const record = process.env['TEST_FAILURES'];
    if (!record) return;
    const states = modules.flatMap((module) =>
      [...module.children.allTests()].map((test) => test.result().state),
    );
    const run: RunRecord = {
      passed: states.filter((state) => state === 'passed').length,
      failed: states.filter((state) => state === 'failed' || state === 'pending').length,
      unhandled: unhandledErrors.map((error) => String((error as Error).stack ?? error)),
      files: modules
        .filter((module) => !module.ok())
        .map((module) => ({
          file: module.relativeModuleId,
          project: module.project.name,
          neighbours: this.#neighboursOf(module),
          output: outputOf(module),
        })),
    };
    appendFileSync(record, `${JSON.stringify(run)}\n`);
  }

  #neighboursOf({ id }: TestModule): string[] {
    const own = this.#spans.get(id);
    return [...this.#spans.values()]
      .filter((span) => own && span !== own && span.started < own.ended && own.started < span.ended)
      .map(({ file }) => file);
  }
}

function outputOf(module: TestModule): string {
  const failures = [module, ...module.children.allSuites()].map((suite) => ({
    name: 'fullName' in suite ? suite.fullName : 'outside of tests',
    errors: suite.errors(),
    warnings: [] as string[],
  }));
  for (const test of module.children.allTests('failed'))
    failures.push({
      name: test.fullName,
      errors: [...(test.result().errors ?? [])],
      warnings: test.meta().warnings ?? [],
    });
  return failures
    .filter(({ errors }) => errors.length > 0)
    .map(({ name, errors, warnings }) => {
      const said = errors.map(({ message, diff, stack }) =>
        [message, diff, stack].filter(Boolean).join('\n'),
      );
      return stripVTControlCharacters([name, ...said, ...warnings.map((line) => `| ${line}`)].join('\n'));
    })
    .join('\n\n');
}
