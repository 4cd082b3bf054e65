import { sql, type Transaction } from 'kysely';
import { ServiceError } from '#foundation/errors/service-error.ts';
import type { Position } from '#platform/paging/cursor.ts';
import type { ScreensTables } from './tables.ts';

/** The end user of a key for whom a call is made. */
export interface Caller {
  api_key_id: string;
  end_user: string;
}

/** How many of a kind end users may own, each and all of a key together. */
export interface OwnershipLimits {
  perEndUser: number;
  perKey: number;
}

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

/**
 * Lets the insertions of a key take turns.
 * @throws ServiceError invalid_request that names the limit which a further row would exceed
 */
export async function requireRoom(
  tx: Transaction<ScreensTables>,
  table: OwnedTable,
  { api_key_id, end_user }: Caller,
  { perEndUser, perKey }: OwnershipLimits,
): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${table} ${api_key_id}`}, 0))`.execute(tx);
  const { own, all } = await tx
    .selectFrom(table)
    .where('api_key_id', '=', api_key_id)
    .select(sql<number>`count(*) filter (where end_user = ${end_user})::int`.as('own'))
    .select(sql<number>`count(*)::int`.as('all'))
    .executeTakeFirstOrThrow();
  const refuse = (limit: string): never => {
    throw new ServiceError('invalid_request', `${limit} Delete one first.`);
  };
  if (own >= perEndUser) refuse(`An end user can own at most ${perEndUser} ${table}s, and this one does.`);
  if (all >= perKey)
    refuse(`The end users of a key can own at most ${perKey} ${table}s together, and those of this key do.`);
}
