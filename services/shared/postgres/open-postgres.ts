import { Socket } from 'node:net';
import { Kysely, PostgresDialect, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import pg from 'pg';
import type { Logger } from '../logger.ts';
import { mayMigrate, migrateSchema, requireMigrated } from './schema-version.ts';
import { waitFor } from '../waiting.ts';
import { Gauge } from 'prom-client';

interface PostgresOptions {
  url: string;
  /** The service's own schema; its tables and its migration record live there. */
  schema: string;
  /** Numbered steps, as in `001_api_key`; run once each, in order. */
  migrations: Record<string, Migration>;
  log: Logger;
  /** How long a statement may take, where callers wait for less than the usual 5 s. */
  statementTimeoutMs?: number;
}

const MAX_CONNECTIONS = 8;
const CONNECT_TIMEOUT_MS = 2_000;
/** A statement that takes longer has met a lock or a dying disk; callers have their own, similar deadlines. */
export const STATEMENT_TIMEOUT_MS = 5_000;
/** After its own limit a server reports that a statement took too long; one that does not has fallen silent. */
const SILENT_AFTER_LIMIT_MS = 1_000;
/** For building an index over a large table, and for waiting until another process has. */
const MIGRATION_STATEMENT_TIMEOUT_MS = 3_600_000;

/** Connects, waits for the server, and sees to it that the service's schema is up to date. */
export async function openPostgres<Tables>(options: PostgresOptions): Promise<Kysely<Tables>> {
  const { statementTimeoutMs = STATEMENT_TIMEOUT_MS } = options;
  const pool = connect(options, {
    max: MAX_CONNECTIONS,
    statement_timeout: statementTimeoutMs,
    // Before its silence is one that ends it.
    idleTimeoutMillis: statementTimeoutMs,
    stream: () => socketEndingAfter(statementTimeoutMs + SILENT_AFTER_LIMIT_MS),
  });
  measurePool(pool, options.schema);
  const database = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  await waitFor('PostgreSQL', postgresAnswers(database), { log: options.log });
  await prepareSchema(options);
  return database;
}

/** A statement gets a connection of the pool and is answered. */
export function postgresAnswers<Tables>(database: Kysely<Tables>): () => Promise<unknown> {
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
 * A pool that outlives its connections: one that the server drops fails its statement and would otherwise end the process.
 *
 * @param onIdleDropped called when the server drops a connection that nobody uses
 */
export function lastingPool(
  config: pg.PoolConfig,
  onIdleDropped: (error: Error) => void = () => {},
): pg.Pool {
  const pool = new pg.Pool(config);
  pool.on('error', onIdleDropped);
  // The pool listens to idle connections only, not to those in use between two statements or about to be closed.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/**
 * Ends after this long without a byte, as when the server's host is lost, and its statement fails. The driver's own
 * limit of a query fails the statement too, but leaves it waiting on its connection, which the pool hands out again
 * and again. Connections that fell silent at the same time, idle ones too, end no later than the first such failure.
 */
function socketEndingAfter(silentMs: number): Socket {
  const socket = new Socket();
  const error = () => new Error(`PostgreSQL timeout: nothing came for ${silentMs} ms`);
  return socket.setTimeout(silentMs, () => socket.destroy(error()));
}

/**
 * Migrates where the role may, over a connection of its own, so that their longer time limit applies to nothing else. A
 * role that has just its rights in the schema finds it migrated, or fails saying what to run.
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
    // Connecting has a limit of seconds, which a machine that has just started everything may miss.
    await waitFor('PostgreSQL', postgresAnswers(database), { log: options.log });
    if (await mayMigrate(database, schema)) await migrateSchema(database, schema);
    else await requireMigrated(database, schema);
  } finally {
    await database.destroy();
  }
}

const pools = new Map<string, pg.Pool>();

new Gauge({
  name: 'saring_postgres_connections',
  help: 'Connections of the pool to PostgreSQL, by what they do.',
  labelNames: ['schema', 'state'],
  collect() {
    for (const [schema, { totalCount, idleCount }] of pools) {
      this.set({ schema, state: 'busy' }, totalCount - idleCount);
      this.set({ schema, state: 'idle' }, idleCount);
    }
  },
});

new Gauge({
  name: 'saring_postgres_waiting',
  help: 'Statements that wait for a connection of the pool.',
  labelNames: ['schema'],
  collect() {
    for (const [schema, { waitingCount }] of pools) this.set({ schema }, waitingCount);
  },
});

/** From now on the process shows how the pool stands. It has one of each schema. */
function measurePool(pool: pg.Pool, schema: string): void {
  pools.set(schema, pool);
}
