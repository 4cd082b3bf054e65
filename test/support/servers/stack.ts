import { startClickhouseServer, type ClickhouseOptions } from '#local/servers/clickhouse-server.ts';
import type { RunningServer } from '#local/servers/embedded-server.ts';
import { startNatsServer, type NatsOptions } from '#local/servers/nats-server.ts';
import { startPostgresServer, type PostgresOptions } from '#local/servers/postgres-server.ts';

/** Where tests get single servers from. Clusters are embedded in either case. */
const STACK = process.env['TEST_STACK'] ?? 'embedded';
if (!['embedded', 'containers'].includes(STACK))
  throw new Error(`TEST_STACK is embedded or containers, not ${STACK}.`);

/** Imported on demand, so that all other test files start sooner. */
const containers = () => import('./containers.ts');

export async function startNats(options: NatsOptions): Promise<RunningServer> {
  return STACK === 'embedded' ? startNatsServer(options) : (await containers()).startNatsContainer(options);
}

export async function startPostgres(options: PostgresOptions): Promise<RunningServer> {
  if (STACK === 'embedded') return startPostgresServer(options);
  return (await containers()).startPostgresContainer(options);
}

export async function startClickhouse(options: ClickhouseOptions): Promise<RunningServer> {
  if (STACK === 'embedded') return startClickhouseServer(options);
  return (await containers()).startClickhouseContainer(options);
}
