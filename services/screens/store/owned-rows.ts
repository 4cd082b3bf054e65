import { sql, type Transaction } from 'kysely';
import type { Position } from '#shared/cursor.ts';
import type { Caller, OwnershipLimits } from '../caller.ts';
import type { TooMany } from '../limit-reached.ts';
import type { ScreensTables } from './tables.ts';

/** The tables whose rows belong to end users of keys. */
type OwnedTable = 'screen' | 'watchlist';

/** Whether a caller may read a row: its own, or one that another end user of its key shares. */
export function isReadable(table: OwnedTable, { api_key_id, end_user }: Caller) {
  const [key, owner, shared] = columnsOf(table);
  return sql<boolean>`${key} = ${api_key_id} and (${owner} = ${end_user} or ${shared})`;
}

/** Whether a caller owns a row and so may change it. */
export function isOwn(table: OwnedTable, { api_key_id, end_user }: Caller) {
  const [key, owner] = columnsOf(table);
  return sql<boolean>`${key} = ${api_key_id} and ${owner} = ${end_user}`;
}

function columnsOf(table: OwnedTable) {
  return [`${table}.api_key_id`, `${table}.end_user`, `${table}.shared`].map((name) => sql.ref(name));
}

/** Whether a row comes after a position in a list with the newest first. */
export function isAfter(table: OwnedTable, { at, id }: Position) {
  const key = sql.ref(`${table}.${table}_id`);
  return sql<boolean>`(${sql.ref(`${table}.created_at`)}, ${key}) < (${new Date(at)}, ${id})`;
}

/** Lets the insertions of a key take turns, and says which limit a further row would exceed. */
export async function exceeded(
  tx: Transaction<ScreensTables>,
  table: OwnedTable,
  { api_key_id, end_user }: Caller,
  { perEndUser, perKey }: OwnershipLimits,
): Promise<TooMany | undefined> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${table} ${api_key_id}`}, 0))`.execute(tx);
  const { own, all } = await tx
    .selectFrom(table)
    .where('api_key_id', '=', api_key_id)
    .select(sql<number>`count(*) filter (where end_user = ${end_user})::int`.as('own'))
    .select(sql<number>`count(*)::int`.as('all'))
    .executeTakeFirstOrThrow();
  if (own >= perEndUser) return 'too many of end user';
  return all >= perKey ? 'too many of key' : undefined;
}
