import { connectClickHouse } from '#platform/clickhouse/clickhouse.ts';
import { clickhouseRows } from '#platform/clickhouse/rows.ts';
import { postgresRows } from '../servers/rows.ts';
import type { FleetFile } from './fleet.ts';

/** Rows by id, each as a hash of its content. */
export type RowHashes = Map<string, string>;

/** For runs, the hash leaves out the columns that change on the way to the ledger. */
const ROWS_OF_POSTGRES = {
  consents: `select consent_id as id, md5(t::text) as hash from consent.consent_record t where ts < $1`,
  keys: `select id, md5((to_jsonb(t) - 'last_used_at')::text) as hash from keys.api_key t where created_at < $1`,
  secrets: `select secret_hash as id, md5(t::text) as hash from keys.key_secret t where created_at < $1`,
  record: `select seq::text as id, md5(t::text) as hash from models.record_entry t where written_at < $1`,
  screens: `select screen_id as id, md5(concat(t, v.rules)) as hash
            from screens.screen t join screens.screen_version v using (screen_id, version) where created_at < $1`,
  watchlists: `select watchlist_id as id, md5(t::text) as hash from screens.watchlist t where created_at < $1`,
  webhooks: `select webhook_id as id, md5(concat(url, secret)) as hash from webhooks.webhook where created_at < $1`,
  deliveries: `select delivery_id as id, md5(concat(event_id, test)) as hash from webhooks.delivery where created_at < $1`,
  runs: `select job_id as id, md5((to_jsonb(t) - 'usage_published' - 'requested_at')::text) as hash
         from models.run t where finished_at < $1`,
};
type PostgresRows = keyof typeof ROWS_OF_POSTGRES;

/** What the stores of a fleet hold of everything that was over at `until`, read without the services. */
export async function storedRows({ stores }: Pick<FleetFile, 'stores'>, until: Date) {
  const market = connectClickHouse(stores.clickhouse.market);
  const usage = connectClickHouse(stores.clickhouse.usage);
  try {
    const found = {} as Record<PostgresRows | 'ledger' | 'market', RowHashes>;
    for (const [name, query] of Object.entries(ROWS_OF_POSTGRES))
      found[name as PostgresRows] = hashes(await postgresRows<Hashed>(stores.postgres, query, [until]));
    const ledger = `SELECT job_id AS id, toString(cityHash64(*)) AS hash FROM usage.event FINAL`;
    const events = await clickhouseRows<Hashed>(usage, ledger);
    found.ledger = hashes(events.filter(({ id }) => found.runs.has(id)));
    const tables =
      'dataset served daily_bar listing broker broker_flow finding rejection fact fact_catalogue model_result'.split(
        ' ',
      );
    const figures = `concat(toString(count()), ' ', toString(sum(cityHash64(*))))`;
    const query = tables
      .map((name) => `SELECT '${name}' AS id, ${figures} AS hash FROM market.${name}`)
      .join(' UNION ALL ');
    found.market = hashes(await clickhouseRows<Hashed>(market, query));
    return found;
  } finally {
    await Promise.all([market.close(), usage.close()]);
  }
}

interface Hashed {
  id: string;
  hash: string;
}

function hashes(rows: Hashed[]): RowHashes {
  return new Map(rows.map(({ id, hash }) => [id, hash]));
}
