import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { RunsServiceService } from '#proto/saring/models/v1/runs.ts';
import type { ServiceClient } from '#platform/grpc/client.ts';
import { natsOptions } from '#platform/nats/connection.ts';
import { lastingPool } from '#platform/postgres/open-postgres.ts';
import { startFakes } from '#gateway/testing/fake-services.ts';
import { startGatewayUnderTest, type TestResponse } from '#gateway/testing/gateway-under-test.ts';
import { freePort } from '#local/state/ports.ts';
import { HANGS_AFTER_MS } from '#support/hangs.ts';
import { clientOf, identityOf, startService } from '#support/processes/service-process.ts';
import { ownServers } from '#support/servers/servers.ts';
import { TcpProxy } from '#support/servers/tcp-proxy.ts';
import { statementsBlocked, whileLocked } from '#support/servers/while-locked.ts';
import { serveDays } from '#support/services/served-days.ts';

const servers = ownServers();
const DAYS = ['2024-06-27', '2024-06-28'];
const CALL = { requestId: 'req_test' };
const SUBMISSION = {
  model_id: 'confluence_filter',
  params: undefined,
  view: 'full',
  api_key_id: 'key_a',
  end_user: 'alice',
  channel: 'api',
  actor: undefined,
  trading_day: undefined,
  idempotency_key: undefined,
  submission_id: undefined,
};

async function startModels(
  env: Record<string, string>,
): Promise<{ address: string; runs: ServiceClient<RunsServiceService> }> {
  const service = await startService('models', {
    DATABASE_URL: servers.databaseUrl,
    NATS_URL: servers.natsUrl,
    RECORD_SECRET: 'record-secret-of-a-test',
    MARKET_DATA_ADDRESS: '127.0.0.1:1',
    MARKET_DATA_TOKEN: identityOf('models').token,
    USAGE_ADDRESS: '127.0.0.1:1',
    USAGE_TOKEN: identityOf('models').token,
    ...env,
  });
  onTestFinished(async () => void (await service.kill()));
  const runs = clientOf(RunsServiceService, service.address, {
    timeoutMs: HANGS_AFTER_MS,
    identity: identityOf('gateway'),
  });
  onTestFinished(() => runs.close());
  return { address: service.address, runs };
}

/** From now on, each commit of a row of this table waits for an advisory lock. */
async function commitsWait(database: Kysely<unknown>, table: string): Promise<void> {
  await sql`create or replace function wait_for_41() returns trigger language plpgsql as
    $$ begin perform pg_advisory_xact_lock(41); return null; end $$`.execute(database);
  await sql`create constraint trigger waits after insert on ${sql.table(`models.${table}`)}
    deferrable initially deferred for each row execute function wait_for_41()`.execute(database);
}

test('until the days of the dataset are known no run is accepted, and the first one names a day of the dataset, also when cancelled', async () => {
  const port = await freePort();
  const { runs } = await startModels({ MARKET_DATA_ADDRESS: `127.0.0.1:${port}` });
  const keyed = { ...SUBMISSION, idempotency_key: 'one run' };
  await expect(runs.submitRun(keyed, CALL)).rejects.toMatchObject({ code: 'data_unavailable' });
  expect(await runs.listJobs({ api_key_id: 'key_a', limit: 10 }, CALL)).toMatchObject({ count: 0 });
  const market = await serveDays(DAYS, port);
  onTestFinished(() => market.stop());
  const submitted = () => runs.submitRun(keyed, CALL).catch((error: Error) => error.message);
  await expect
    .poll(submitted)
    .toMatchObject({ job: { status: 'queued', params: { analysis_date: '2024-06-28' } } });
  const { jobs } = await runs.listJobs({ api_key_id: 'key_a', limit: 10 }, CALL);
  expect(jobs).toHaveLength(1);
  const { job } = await runs.cancelRun({ job_id: jobs[0]!.job_id, api_key_id: 'key_a' }, CALL);
  expect(job).toMatchObject({
    params: { analysis_date: '2024-06-28' },
    summary: { pick_count: 0, target_date: '2024-06-28' },
  });
});

const MODEL = '/api/v1/models/confluence_filter';
test.each([
  ['run', `${MODEL}/runs`, {}, 'with "submitted" as (insert%'],
  ['backfill', `${MODEL}/backfills`, { from: '2024-06-27', to: '2024-06-28', step: 'day' }, 'commit'],
] as const)(
  'a %s that began although no answer came is never told as refused, and a repetition with its key finds it',
  async (table, path, body, statement) => {
    const market = await serveDays(DAYS);
    onTestFinished(() => market.stop());
    const proxy = await TcpProxy.start(servers.databaseUrl);
    onTestFinished(() => proxy.stop());
    const { address } = await startModels({ MARKET_DATA_ADDRESS: market.address, DATABASE_URL: proxy.url });
    const fakes = await startFakes();
    onTestFinished(() => fakes.stop());
    const gateway = await startGatewayUnderTest(fakes.address, undefined, { MODELS_ADDRESS: address });
    onTestFinished(() => gateway.stop());
    const headers = {
      'content-type': 'application/json',
      'x-end-user': 'bob',
      'idempotency-key': 'in doubt',
    };
    const request = { method: 'POST', headers, body: JSON.stringify(body) };
    const submit = () => gateway.request(path, 'all-scopes', request);
    const pool = lastingPool({ connectionString: servers.databaseUrl });
    const database = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
    onTestFinished(() => database.destroy());

    // The connection is cut while the row waits to be committed. The server commits it and cannot tell anybody.
    await commitsWait(database, table);
    const { first } = await whileLocked(database, sql`select pg_advisory_xact_lock(41)`, async () => {
      const answered = submit();
      await expect.poll(() => statementsBlocked(database, statement)).toBe(1);
      proxy.cut();
      return { first: answered };
    });
    const told = ({ status, body: { error } }: TestResponse) => `${status} ${error?.code}: ${error?.message}`;
    expect(told(await first)).toMatch(
      /^503 model_unavailable: No answer came, so it is unknown .* the same Idempotency-Key/,
    );
    expect(told(await submit())).toMatch(
      /^503 model_unavailable: .* may have been carried out: .* the same key/,
    );
    proxy.mend();
    await expect.poll(async () => (await submit()).status).toBe(202);
    const found = await submit();
    expect([found.status, found.headers.get('idempotent-replayed')]).toEqual([202, 'true']);
    const { rows } = await sql`select from ${sql.table(`models.${table}`)} where end_user = 'bob'`.execute(
      database,
    );
    expect(rows).toHaveLength(1);
  },
);

test.each([
  ['an hour and 500 results by default', {}, { hours: 1, ceiling: 500 }],
  [
    'as its settings say',
    { RESULT_RETENTION_SECONDS: '60', RESULT_CEILING: '7' },
    { hours: 1 / 60, ceiling: 7 },
  ],
  ['the defaults again', {}, { hours: 1, ceiling: 500 }],
])('the stream of results keeps %s', async (_name, env, { hours, ceiling }) => {
  await startModels(env);
  const connection = await connect(natsOptions(servers.natsUrl, 'test'));
  const { streams } = await jetstreamManager(connection);
  const { config } = await streams.info('RESULTS');
  expect(config).toMatchObject({ max_age: hours * 3_600e9, max_msgs: ceiling + 50 });
  await connection.close();
});
