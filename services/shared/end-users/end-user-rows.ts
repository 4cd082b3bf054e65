import { sql, type QueryExecutorProvider, type RawBuilder } from 'kysely';
import type { EndUserOf } from './end-user-data.ts';

/** Rows that are read at a time, so that an export of many holds few in memory. */
const BATCH = 100;

/** The condition that a row of a table with `api_key_id` belongs to an end user, whom `column` names. */
export function belongsTo(
  { api_key_id, end_user }: EndUserOf,
  column: RawBuilder<unknown> = sql.ref('end_user'),
): RawBuilder<boolean> {
  return api_key_id === undefined
    ? sql<boolean>`${column} = ${end_user}`
    : sql<boolean>`(api_key_id = ${api_key_id} and ${column} = ${end_user})`;
}

/** The rows of a table that belong to an end user, ordered by their text id. */
export async function* rowsOfEndUser<Row>(
  db: QueryExecutorProvider,
  { table, id, endUser }: { table: string; id: keyof Row & string; endUser?: RawBuilder<unknown> },
  of: EndUserOf,
): AsyncGenerator<Row> {
  for (let after = ''; ;) {
    const { rows } = await sql<Row>`select * from ${sql.table(table)}
      where ${belongsTo(of, endUser)} and ${sql.ref(id)} > ${after} order by ${sql.ref(id)} limit ${BATCH}`.execute(
      db,
    );
    yield* rows;
    if (rows.length < BATCH) return;
    after = String(rows.at(-1)![id]);
  }
}
