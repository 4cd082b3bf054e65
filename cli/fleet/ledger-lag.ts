import { OWN_IDS } from '#shared/runs/operator-runs.ts';
import type { StoreReader } from './stores.ts';

/** Enough runs to see whether the newest ones arrive, few enough for one query. */
const COMPARED_RUNS = 300;
/** Usual time from a change of a run until it is in the ledger. */
const SETTLE = '5 seconds';

/** For how long a run of an API key has been in PostgreSQL but not in the ledger, in seconds; 0 when none is missing. */
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
