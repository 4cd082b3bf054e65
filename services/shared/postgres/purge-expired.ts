import type { Clock } from '../clock.ts';

/** Rows a removal, so that none holds its locks for long. */
const BATCH = 200;
const DAY_MS = 86_400_000;

/** A table whose rows expire. */
export interface ExpiringRows {
  /** Removes at most `limit` rows from before a moment. Returns how many. */
  purge(before: Date, limit: number): Promise<number>;
}

/**
 * Removes rows past their retention, in small batches. Stops between two batches when `signal` aborts.
 * @param retentionDays 0 keeps every row
 */
export async function purgeExpired(
  rows: ExpiringRows,
  { clock, retentionDays }: { clock: Clock; retentionDays: number },
  signal: AbortSignal,
): Promise<void> {
  if (retentionDays === 0) return;
  const before = new Date(clock().getTime() - retentionDays * DAY_MS);
  while (!signal.aborted && (await rows.purge(before, BATCH)) === BATCH);
}
