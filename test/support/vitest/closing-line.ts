import { appendFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import type { TestError } from 'vitest';
import type { Reporter, TestCase, TestModule, TestSuite } from 'vitest/node';

/** Enough for a difference of a few lines, so that the end of a log is enough to understand a failure. */
const SHOWN_CHARACTERS = 1_500;

/**
 * Ends the output with what skipped tests need, the failed tests with their errors and what services warned of meanwhile, and
 * then one plain line for scripts:
 * `N passed, N failed`. Appends failures and line to the file that TEST_COUNTS names, so that a script can add up several runs
 * and end with what failed in any of them.
 */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const count = { passed: 0, failed: 0, skipped: 0, pending: 0 };
    const skipped = new Map<string, number>();
    const failures: string[] = [];
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state, errors } = test.result();
        count[state]++;
        if (state === 'failed' || state === 'pending')
          failures.push(
            `  ${state}: ${module.relativeModuleId} > ${test.fullName}\n${shown(errors)}${warningsOf(test)}`,
          );
        if (state === 'skipped') skipped.set(neededBy(test), (skipped.get(neededBy(test)) ?? 0) + 1);
      }
      for (const suite of [module, ...module.children.allSuites()]) {
        if (suite.errors().length === 0) continue;
        count.failed++;
        failures.push(`  failed outside of tests: ${module.relativeModuleId}\n${shown(suite.errors())}`);
      }
    }
    if (count.skipped > 0) process.stdout.write(`\n${count.skipped} skipped, which need:\n`);
    for (const [need, tests] of skipped) process.stdout.write(`  ${tests}: ${need}\n`);
    for (const error of unhandledErrors) failures.push(`  unhandled: ${String((error as Error).message)}\n`);
    const failed = count.failed + count.pending + unhandledErrors.length;
    const closing = `${failures.join('')}${count.passed} passed, ${failed} failed\n`;
    process.stdout.write(`\n${closing}`);
    if (process.env['TEST_COUNTS']) appendFileSync(process.env['TEST_COUNTS'], closing);
  }
}

/** What errors say, and how what came differs from what was expected. Each line is indented, as scripts expect it. */
function shown(errors: readonly TestError[] | undefined): string {
  const lines = (errors ?? []).flatMap(({ message, diff }) =>
    stripVTControlCharacters(`${message}\n${diff ?? ''}`).split('\n'),
  );
  const text = lines.filter((line) => line.trim() !== '').join('\n');
  return text === '' ? '' : `${text.slice(0, SHOWN_CHARACTERS).replaceAll(/^/gm, '    ')}\n`;
}

/** What services warned of while the test ran. */
function warningsOf(test: TestCase): string {
  return (test.meta().warnings ?? []).map((line) => `    | ${line}\n`).join('');
}

/** What a skipped test lacks, as it or a suite around it declares with `needing`. */
function neededBy(test: TestCase): string {
  for (let each: TestCase | TestSuite | TestModule = test; each.type !== 'module'; each = each.parent) {
    const { needs } = each.meta();
    if (needs !== undefined) return needs;
  }
  return 'a run that selects them (-t, or a fleet of their own)';
}
