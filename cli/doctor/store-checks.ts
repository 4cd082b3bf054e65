import { CLICKHOUSE_SCHEMAS } from '#clickhouse/schemas.ts';
import { hasJetStream } from '#local/servers/external-servers.ts';
import { unknownMigrations } from '#platform/migrations/migration-numbers.ts';
import { SCHEMAS } from '#postgres/schemas.ts';
import { reasonOf, whileRunning, type Finding } from './check.ts';

/** The clock difference that key expiry, retention and the order of the ledger can tolerate. */
const CLOCK_TOLERANCE_MS = 2_000;
const CONNECT_TIMEOUT_MS = 3_000;

export const migrations = whileRunning('migrations', async ({ stores }) => {
  const findings: Finding[] = [];
  const compare = (where: string, applied: string[], known: string[]) => {
    const ahead = unknownMigrations(applied, known);
    if (ahead.length === 0) return;
    findings.push({
      what: `${where} is ahead of this version of Saring, which does not know ${ahead.join(', ')}.`,
      fix: 'Start the newer version again, or restore a backup from before its first start into an empty state directory.',
    });
  };
  for (const { name, migrations: known } of SCHEMAS) {
    const rows = await stores.postgres<{ name: string }>(`select name from ${name}.kysely_migration`);
    compare(
      `Schema ${name} of PostgreSQL`,
      rows.map((row) => row.name),
      Object.keys(known),
    );
  }
  for (const { database, migrations: known } of CLICKHOUSE_SCHEMAS) {
    const rows = await stores[database]<{ name: string }>(
      `SELECT DISTINCT name FROM ${database}.schema_migration`,
    );
    compare(
      `Database ${database} of ClickHouse`,
      rows.map((row) => row.name),
      known.map((migration) => migration.name),
    );
  }
  return findings;
});

export const clickhouseServers = whileRunning('ClickHouse servers', async ({ stores }) => {
  const silent = await stores.silentServers();
  return silent.map(({ cluster, host, failure, isReplicated }) => ({
    what: `Server ${host} of the ClickHouse cluster ${cluster} does not answer: ${reasonOf(failure)}.`,
    fix: isReplicated
      ? 'Start it again. Until then, other servers answer from their copies of its rows.'
      : 'Start it again: no other server has its rows. Until then, usage history answers 503, usage events wait in NATS, and market data is answered from memory.',
  }));
});

export const clock = whileRunning('clock', async ({ stores }) => {
  const requested = {
    PostgreSQL: async () =>
      (
        await stores.postgres<{ ms: number }>(
          'select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms',
        )
      )[0]!.ms,
    ClickHouse: async () =>
      Number(
        (await stores.market<{ ms: string }>('SELECT toString(toUnixTimestamp64Milli(now64(3))) AS ms'))[0]!
          .ms,
      ),
  };
  const findings: Finding[] = [];
  for (const [store, ask] of Object.entries(requested)) {
    const before = Date.now();
    const theirs = await ask();
    const after = Date.now();
    // The store read its clock at some time between `before` and `after`.
    const offMs = theirs < before ? theirs - before : Math.max(0, theirs - after);
    if (Math.abs(offMs) <= CLOCK_TOLERANCE_MS) continue;
    const seconds = Math.abs(offMs / 1_000).toFixed(1);
    findings.push({
      what: `The clock of this machine is ${seconds} s ${offMs < 0 ? 'ahead of' : 'behind'} that of ${store}.`,
      fix: 'Synchronise both with a time server (timedatectl set-ntp true). Until then, keys expire and runs are dated at wrong times.',
    });
  }
  return findings;
});

export const jetStream = whileRunning('JetStream', async ({ state }) => {
  if (await hasJetStream(state.running!.nats_url, 'doctor', CONNECT_TIMEOUT_MS)) return [];
  return [
    {
      what: 'NATS runs without JetStream: no run can be queued.',
      fix: 'Turn it on in the configuration of the server with jetstream { store_dir: … sync_interval: always }, then restart NATS.',
    },
  ];
});
