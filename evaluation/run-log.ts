import type { RunFacts } from './evaluation.ts';
import type { FailedRun, PastRun } from './past-runs.ts';

/** How the runs of a model went. */
export class RunLog {
  readonly #failed: RunFacts['failed'] = [];
  readonly #tookMs: number[] = [];

  /** The run, when it has a result. */
  note(date: string, run: PastRun | FailedRun): PastRun | undefined {
    if ('failure' in run) {
      this.#failed.push({ date, message: run.failure });
      return undefined;
    }
    this.#tookMs.push(run.tookMs);
    return run;
  }

  get facts(): RunFacts {
    const sorted = this.#tookMs.toSorted((a, b) => a - b);
    return {
      weeks: this.#failed.length + sorted.length,
      failed: this.#failed,
      median_ms: sorted[Math.floor(sorted.length / 2)] ?? null,
      longest_ms: sorted.at(-1) ?? null,
    };
  }
}
