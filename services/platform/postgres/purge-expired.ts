import { sql, type QueryExecutorProvider, type RawBuilder } from 'kysely';
import type { Clock } from '#foundation/clock.ts';
import { DAY_MS } from '#foundation/iso-day.ts';

/** Rows a removal, so that none holds its locks for long. */
const BATCH = 200;

/** A table whose rows expire. */
interface ExpiringRows {
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

/**
 * Removes rows of a table of which a condition holds, at most `limit` by one statement. A row that changes meanwhile stays.
 * @param key the columns of its key
 * @returns how many were removed
 */
export async function removeSome(
  db: QueryExecutorProvider,
  { table, key, where, limit }: { table: string; key: string[]; where: RawBuilder<unknown>; limit: number },
): Promise<number> {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  const some = sql`select ${columns} from ${sql.table(table)} where ${where} limit ${limit}`;
  const removal = sql`delete from ${sql.table(table)} where (${columns}) in (${some}) and ${where}`;
  return Number((await removal.execute(db)).numAffectedRows ?? 0n);
}
