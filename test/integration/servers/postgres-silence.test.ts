import { setTimeout as sleep } from 'node:timers/promises';
import { sql, type Kysely } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { isPostgresUnavailable } from '#platform/postgres/postgres-unavailable.ts';
import { openPostgres } from '#platform/postgres/open-postgres.ts';
import { HANGS_AFTER_MS } from '#support/hangs.ts';
import { ownServers } from '#support/servers/servers.ts';
import { TcpProxy } from '#support/servers/tcp-proxy.ts';

const STATEMENT_TIMEOUT_MS = 1_000;
/** The number of connections of a service. */
const AT_ONCE = 8;
/** Longer than a connection may be silent. */
const QUIET_MS = STATEMENT_TIMEOUT_MS + 1_500;

const servers = ownServers();
const lines: string[] = [];
let proxy: TcpProxy;
let database: Kysely<unknown>;

beforeAll(async () => {
  proxy = await TcpProxy.start(servers.databaseUrl);
  database = await openPostgres<unknown>({
    url: proxy.url,
    schema: 'silence',
    migrations: {},
    log: pino({}, { write: (line) => lines.push(line) }),
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  });
});

afterAll(async () => {
  await database?.destroy();
  proxy?.stop();
});

beforeEach(() => statementsAtOnce());

/** Runs slow statements in parallel, so that each needs its own connection. */
function statementsAtOnce(): Promise<unknown[]> {
  return Promise.all(Array.from({ length: AT_ONCE }, () => sql`select pg_sleep(0.2)`.execute(database)));
}

async function failure(statement: Promise<unknown>): Promise<{ unavailable: boolean; afterMs: number }> {
  const begun = performance.now();
  const thrown: unknown = await statement.then(
    () => new Error('it answered'),
    (error: unknown) => error,
  );
  return { unavailable: isPostgresUnavailable(thrown), afterMs: performance.now() - begun };
}

test('when idle connections fall silent one statement fails within its limit, and later ones succeed', async () => {
  proxy.silence();
  const { unavailable, afterMs } = await failure(sql`select 1`.execute(database));
  expect(unavailable).toBe(true);
  expect(afterMs).toBeLessThan(HANGS_AFTER_MS);
  for (let later = 0; later < AT_ONCE; later++) await sql`select 1`.execute(database);
  await statementsAtOnce();
});

test('running statements on silent connections fail within their limit, and later ones succeed', async () => {
  const running = Array.from({ length: AT_ONCE }, () => failure(sql`select pg_sleep(0.5)`.execute(database)));
  proxy.silence();
  for (const { unavailable, afterMs } of await Promise.all(running)) {
    expect(unavailable).toBe(true);
    expect(afterMs).toBeLessThan(HANGS_AFTER_MS);
  }
  await statementsAtOnce();
});

test('a transaction on a silent connection fails within the limit and leaves nothing behind', async () => {
  await sql`create table silence.note (text text)`.execute(database);
  const begun = performance.now();
  const transaction = database.transaction().execute(async (trx) => {
    await sql`insert into silence.note values ('half')`.execute(trx);
    proxy.silence();
    await sql`insert into silence.note values ('whole')`.execute(trx);
  });
  expect((await failure(transaction)).unavailable).toBe(true);
  expect(performance.now() - begun).toBeLessThan(HANGS_AFTER_MS);
  const { rows } = await sql`select * from silence.note`.execute(database);
  expect(rows).toEqual([]);
});

test('idle connections are closed without a log line', async () => {
  lines.length = 0;
  await sleep(QUIET_MS);
  await sql`select 1`.execute(database);
  expect(lines).toEqual([]);
});
