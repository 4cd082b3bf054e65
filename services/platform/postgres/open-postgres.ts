import { Socket } from 'node:net';
import { Kysely, PostgresDialect, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import pg from 'pg';
import type { Logger } from '../operations/logger.ts';
import { mayMigrate, migrateSchema, requireMigrated } from './schema-version.ts';
import { metricsOf } from '../operations/metrics.ts';
import { REFUSAL_PATIENCE_MS, START_PATIENCE_MS, waitFor } from '../process/waiting.ts';
import { isPostgresUnavailable } from './postgres-unavailable.ts';
import { Gauge } from 'prom-client';

interface PostgresOptions {
  url: string;
  /** The service's own schema, which contains its tables and its migration record. */
  schema: string;
  /** Numbered steps, for example `001_api_key`. Each runs once, in order. */
  migrations: Record<string, Migration>;
  log: Logger;
  /** Statement timeout, for services whose callers wait for less than the default of 5 s. */
  statementTimeoutMs?: number;
}

const MAX_CONNECTIONS = 8;
const CONNECT_TIMEOUT_MS = 2_000;
/** A statement that takes longer is blocked by a lock or a failing disk. Callers have similar deadlines of their own. */
export const STATEMENT_TIMEOUT_MS = 5_000;
/** A server reports a statement that exceeds its timeout. A server that does not do so within this time has gone silent. */
export const SILENT_AFTER_LIMIT_MS = 1_000;
/** Time for building an index on a large table, or for waiting until another process has built it. */
const MIGRATION_STATEMENT_TIMEOUT_MS = 3_600_000;

/** Connects, waits for the server, and ensures that the service's schema is up to date. */
export async function openPostgres<Tables>(options: PostgresOptions): Promise<Kysely<Tables>> {
  const { statementTimeoutMs = STATEMENT_TIMEOUT_MS } = options;
  const pool = connect(options, {
    max: MAX_CONNECTIONS,
    statement_timeout: statementTimeoutMs,
    // Closes an idle connection before its silence counts as a failure.
    idleTimeoutMillis: statementTimeoutMs,
    stream: () => socketEndingAfter(statementTimeoutMs + SILENT_AFTER_LIMIT_MS),
  });
  measurePool(pool, options.schema);
  const database = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  await waitFor('PostgreSQL', postgresResponds(database), {
    log: options.log,
    patienceMs: (error) => (isPostgresUnavailable(error) ? START_PATIENCE_MS : REFUSAL_PATIENCE_MS),
  });
  await prepareSchema(options);
  return database;
}

/**
 * Work of a start that is begun again while PostgreSQL is unavailable. Each statement of it may find that: on a busy machine, a new
 * connection can take longer than requests wait for one.
 * @throws every other failure of the work, at once
 */
export function startingWithPostgres<T>(work: () => Promise<T>, log?: Logger): Promise<T> {
  const isUnavailable = (error: unknown) =>
    isPostgresUnavailable(error) || isPostgresUnavailable((error as Error).cause);
  return waitFor('PostgreSQL', work, {
    log,
    patienceMs: (error) => (isUnavailable(error) ? START_PATIENCE_MS : 0),
  });
}

/** Checks that a statement gets a connection of the pool and a response. */
export function postgresResponds<Tables>(database: Kysely<Tables>): () => Promise<unknown> {
  return () => sql`select 1`.execute(database);
}

function connect({ url, schema, log }: PostgresOptions, limits: pg.PoolConfig): pg.Pool {
  return lastingPool(
    {
      connectionString: url,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      options: `-c search_path=${schema}`,
      ...limits,
    },
    (error) => log.warn({ reason: error.message }, 'PostgreSQL closed an idle connection'),
  );
}

/**
 * A pool that survives the loss of connections. When the server drops a connection, only its statement fails; without the error
 * handlers the process would end.
 *
 * @param onIdleDropped called when the server drops an idle connection
 */
export function lastingPool(
  config: pg.PoolConfig,
  onIdleDropped: (error: Error) => void = () => {},
): pg.Pool {
  const pool = new pg.Pool(config);
  pool.on('error', onIdleDropped);
  // The pool only listens to idle connections, not to those held between two statements or about to be closed.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/**
 * A socket that fails its statement after this long without a byte, for example when the server's host is lost. The driver's
 * query timeout fails the statement too, but leaves it pending on its connection, which the pool then hands out again and
 * again. Connections that went silent at the same time, including idle ones, end no later than the first such failure.
 */
function socketEndingAfter(silentMs: number): Socket {
  const socket = new Socket();
  const error = () => new Error(`PostgreSQL timeout: nothing came for ${silentMs} ms`);
  return socket.setTimeout(silentMs, () => socket.destroy(error()));
}

/**
 * Migrates if the role may, over a separate connection, so that the longer timeout applies to nothing else. A role with only
 * the usual privileges needs a migrated schema; otherwise this fails and says what to run.
 */
async function prepareSchema(options: PostgresOptions): Promise<void> {
  const schema = { name: options.schema, migrations: options.migrations };
  const pool = connect(options, {
    max: 1,
    keepAlive: true,
    statement_timeout: MIGRATION_STATEMENT_TIMEOUT_MS,
  });
  const database = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    await startingWithPostgres(async () => {
      if (await mayMigrate(database, schema)) await migrateSchema(database, schema);
      else await requireMigrated(database, schema);
    }, options.log);
  } finally {
    await database.destroy();
  }
}

const pools = new Map<string, pg.Pool>();

/** Exposes the state of a service's pool as metrics of the service, which has the name of its schema. */
function measurePool(pool: pg.Pool, schema: string): void {
  const isDeclared = pools.has(schema);
  pools.set(schema, pool);
  if (isDeclared) return;
  const registers = [metricsOf(schema)];
  const current = () => pools.get(schema)!;
  new Gauge({
    name: 'saring_postgres_connections',
    help: 'Connections of the pool to PostgreSQL, by what they do.',
    labelNames: ['schema', 'state'],
    registers,
    collect() {
      const { totalCount, idleCount } = current();
      this.set({ schema, state: 'busy' }, totalCount - idleCount);
      this.set({ schema, state: 'idle' }, idleCount);
    },
  });
  new Gauge({
    name: 'saring_postgres_waiting',
    help: 'Statements that wait for a connection of the pool.',
    labelNames: ['schema'],
    registers,
    collect() {
      this.set({ schema }, current().waitingCount);
    },
  });
}
