import type { ImportProgress } from '#proto/saring/market_data/v1/datasets.ts';
import { endedWithin } from '#platform/process/waiting.ts';

/** The progress of an import. The import writes it, its caller reads it. */
export class Progress {
  step = 'starting';
  rowsRead = 0;
  readonly #startedAt = performance.now();

  get elapsedMs(): number {
    return performance.now() - this.#startedAt;
  }

  toMessage(): ImportProgress {
    return { step: this.step, rows_read: this.rowsRead, elapsed_ms: Math.round(this.elapsedMs) };
  }
}

type ImportEvent<Outcome> =
  | { $case: 'progress'; value: ImportProgress }
  | { $case: 'outcome'; value: Outcome };

/** Less than the two seconds that the API contract allows between two messages. */
const REPORT_EVERY_MS = 500;

/**
 * Runs an import and reports its progress until its outcome. If the caller disconnects, the import is cancelled, and
 * has cleaned up by the time this generator ends.
 */
export async function* reported<Outcome>(
  work: (work: { progress: Progress; signal: AbortSignal }) => Promise<Outcome>,
  signal: AbortSignal,
): AsyncGenerator<{ event: ImportEvent<Outcome> }> {
  const progress = new Progress();
  const left = new AbortController();
  const outcome = work({ progress, signal: AbortSignal.any([signal, left.signal]) });
  outcome.catch(() => {});
  try {
    while (!(await endedWithin(outcome, REPORT_EVERY_MS))) {
      yield { event: { $case: 'progress', value: progress.toMessage() } };
    }
    yield { event: { $case: 'outcome', value: await outcome } };
  } finally {
    left.abort();
    await Promise.allSettled([outcome]);
  }
}
