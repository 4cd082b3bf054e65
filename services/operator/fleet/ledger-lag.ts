import { OWN_IDS } from '#shared/operator-runs.ts';
import type { StoreReader } from './stores.ts';

/** Enough to see whether the newest runs arrive, and few enough to ask for in one query. */
const COMPARED_RUNS = 300;
/** From a change of a run into the ledger. */
const SETTLE = '5 seconds';

/** For how long the ledger has lacked a key's run that PostgreSQL holds; 0 when it lacks none. */
export async function ledgerLagSeconds(stores: StoreReader): Promise<number> {
  const runs = await stores.postgres<{ event_id: string; age: number }>(
    `select event_id, extract(epoch from now() - created_at)::float8 as age from models.run
     where api_key_id <> all($1) and created_at < now() - interval '${SETTLE}' order by created_at desc limit $2`,
    [OWN_IDS, COMPARED_RUNS],
  );
  if (runs.length === 0) return 0;
  const known = await stores.usage<{ event_id: string }>(
    'SELECT DISTINCT event_id FROM usage.event WHERE event_id IN {ids:Array(String)}',
    { ids: runs.map(({ event_id }) => event_id) },
  );
  const ids = new Set(known.map(({ event_id }) => event_id));
  return Math.max(0, ...runs.filter(({ event_id }) => !ids.has(event_id)).map(({ age }) => age));
}
