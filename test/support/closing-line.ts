import type { Reporter, TestModule } from 'vitest/node';

/** Ends the output with one plain line, `N passed, N failed, N skipped`, for scripts that count tests. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const count = { passed: 0, failed: 0, skipped: 0, pending: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) count[test.result().state]++;
      if (module.state() === 'failed' && module.errors().length > 0) count.failed++;
    }
    const failed = count.failed + count.pending + unhandledErrors.length;
    process.stdout.write(`\n${count.passed} passed, ${failed} failed, ${count.skipped} skipped\n`);
  }
}
