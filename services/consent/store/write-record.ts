import { sql, type Kysely } from 'kysely';
import type { ConsentRow, IdempotencyClaim, NewConsent } from './consent-store.ts';
import type { ConsentTables } from './tables.ts';

/**
 * Writes a record, and in the same statement what the idempotency key claims, so that both are there or neither. Writes
 * nothing once `writeUntil` is past on the database's clock, or when the key was claimed after it would have expired;
 * a rival that claims it at the same time is waited for. Undefined when nothing was written.
 */
export function writeRecord(
  db: Kysely<ConsentTables>,
  record: NewConsent,
  claim: IdempotencyClaim | undefined,
  writeUntil: Date,
): Promise<ConsentRow | undefined> {
  const inTime = sql<boolean>`clock_timestamp() < ${writeUntil}`;
  const { columns, values } = selectionOf(record);
  if (!claim) {
    return db
      .insertInto('consent_record')
      .columns(columns)
      .expression(db.selectNoFrom(values).where(inTime))
      .returningAll()
      .executeTakeFirst();
  }
  const claimed = selectionOf(claimRow(record, claim));
  return db
    .with('claimed', (cte) =>
      cte
        .insertInto('idempotency')
        .columns(claimed.columns)
        .expression(cte.selectNoFrom(claimed.values).where(inTime))
        .onConflict((conflict) =>
          conflict
            .columns(['api_key_id', 'idempotency_key'])
            .doUpdateSet((row) => ({
              fingerprint: row.ref('excluded.fingerprint'),
              consent_id: row.ref('excluded.consent_id'),
              created_at: row.ref('excluded.created_at'),
            }))
            .where('idempotency.created_at', '<=', claim.expiredAt),
        )
        .returning('consent_id'),
    )
    .insertInto('consent_record')
    .columns(columns)
    .expression((query) => query.selectFrom('claimed').select(values))
    .returningAll()
    .executeTakeFirst();
}

function claimRow({ api_key_id, consent_id, ts }: NewConsent, { key, fingerprint }: IdempotencyClaim) {
  return { api_key_id, idempotency_key: key, fingerprint, consent_id, created_at: ts };
}

function selectionOf<Row extends object>(row: Row) {
  const columns = Object.keys(row) as (keyof Row & string)[];
  return { columns, values: columns.map((column) => sql`${row[column]}`.as(column)) };
}
