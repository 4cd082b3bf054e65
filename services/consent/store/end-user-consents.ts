import { sql, type Kysely } from 'kysely';
import type { Clock } from '#foundation/clock.ts';
import { erasureOf, storedItem, type EndUserData, type EndUserOf } from '#shared/end-users/end-user-data.ts';
import { belongsTo, rowsOfEndUser } from '#shared/end-users/end-user-rows.ts';
import type { ConsentRow } from './consent-store.ts';
import type { ConsentTables } from './tables.ts';

const KIND = 'consent_records';
const REASON =
  'acceptances are permanent by the contract. They no longer count: the gate is closed until the end user accepts again';

/**
 * The acceptances of an end user. They are append-only and stay with the end user's id. An erasure notes up to which record they no
 * longer count, and removes what would return them for a repeated request.
 */
export function endUserConsents(db: Kysely<ConsentTables>, clock: Clock): EndUserData {
  return {
    async *stored(of) {
      const rows = rowsOfEndUser<ConsentRow>(db, { table: 'consent_record', id: 'consent_id' }, of);
      for await (const row of rows) yield storedItem(KIND, row);
    },
    erase: (of) =>
      db.transaction().execute(async (tx) => {
        const erased = await closeGates(tx, of, clock());
        const records = tx.selectFrom('consent_record').select('consent_id').where(belongsTo(of));
        for (const table of ['idempotency', 'submission'] as const)
          await tx.deleteFrom(table).where('consent_id', 'in', records).execute();
        return erasureOf({}, [{ kind: KIND, count: erased, reason: REASON }]);
      }),
  };
}

/** Returns the number of records that stay. */
async function closeGates(tx: Kysely<ConsentTables>, of: EndUserOf, now: Date): Promise<number> {
  await sql`insert into end_user_erasure
    select api_key_id, end_user, max(written_as), ${now} from consent_record where ${belongsTo(of)}
    group by api_key_id, end_user
    on conflict (api_key_id, end_user)
    do update set erased_through = excluded.erased_through, erased_at = excluded.erased_at
    where end_user_erasure.erased_through < excluded.erased_through`.execute(tx);
  const { count } = await tx
    .selectFrom('consent_record')
    .select(sql<number>`count(*)::int`.as('count'))
    .where(belongsTo(of))
    .executeTakeFirstOrThrow();
  return count;
}
