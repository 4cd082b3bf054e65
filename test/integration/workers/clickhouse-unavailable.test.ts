import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { RunFinished, RunHeartbeat, RunRequested } from '#proto/saring/events/v1/runs.ts';
import { FAILURE, unreadableFor } from '#services/model-worker/failures/failure-messages.ts';
import { migrations } from '#services/market-data/store/migrations/index.ts';
import { validatedParams } from '#services/models/catalogue/parameters.ts';
import { connectClickHouse } from '#platform/clickhouse/clickhouse.ts';
import { migrateClickHouse } from '#platform/clickhouse/migrate.ts';
import { randomId } from '#foundation/ids.ts';
import { createLogger } from '#platform/operations/logger.ts';
import { connectNats, type Nats } from '#platform/nats/connection.ts';
import { subjects } from '#platform/nats/subjects.ts';
import { ClickHouseProxy } from '#support/servers/clickhouse-proxy.ts';
import { weekdays } from '#support/markets/idx-archive.ts';
import { PrivateServer } from '#support/servers/private-server.ts';
import { startService, type ServiceProcess } from '#support/processes/service-process.ts';

const DATES = weekdays('2024-01-01', 180);
const LATEST = DATES.at(-1)!;
/** Before the days whose broker rows a worker keeps in memory. */
const LONG_AGO = DATES[140]!;
const VERSION = 'real-20240906-1';
const segmentOf = (date: string) => `${date.slice(0, 7)}.a`;
const SHORT_PATIENCE_MS = 6_000;
/** Long enough for a busy machine. */

let clickhouse: PrivateServer;
let proxy: ClickHouseProxy;
let natsServer: PrivateServer;
let nats: Nats;
const workers: ServiceProcess[] = [];

beforeAll(async () => {
  [clickhouse, natsServer] = await Promise.all([PrivateServer.clickhouse(), PrivateServer.nats()]);
  proxy = await ClickHouseProxy.start(clickhouse.urlOf('model-worker'));
  nats = await connectNats(natsServer.url, 'models', createLogger('test', 'silent'));
});
afterEach(async () => {
  proxy.onResponse = () => true;
  await Promise.all(workers.splice(0).map((worker) => worker.kill('SIGKILL')));
});
afterAll(async () => {
  await nats?.connection.close();
  proxy?.stop();
  await Promise.all([natsServer?.remove(), clickhouse?.remove()]);
});

async function startWorkers(count: number, settings: Record<string, string> = {}): Promise<void> {
  const env = { NATS_URL: natsServer.urlOf('model-worker'), CLICKHOUSE_URL: proxy.url, ...settings };
  const starting = Array.from({ length: count }, () => startService('model-worker', env));
  workers.push(...(await Promise.all(starting)));
}

async function requestRun(analysis_date = LATEST): Promise<string> {
  const job_id = randomId('job');
  const run = { model_id: 'confluence_filter', params: { seller_filter: true }, view: 'full' };
  const day = { analysis_date, trading_day: undefined };
  const request = { ...run, job_id, request_id: 'req_1', ...day, reports_scores: false, picks: undefined };
  const message = RunRequested.encode({ ...request, params: validatedParams(run) }).finish();
  await nats.js.publish(subjects.run(run.model_id, job_id), message, { msgID: job_id });
  return job_id;
}

const lastOn = (last_by_subj: string) => nats.jsm.streams.getMessage('RUN_EVENTS', { last_by_subj });
const hasStarted = async (jobId: string) => (await lastOn(subjects.runStarted(jobId))) !== null;
const endOf = async (jobId: string) => {
  const event = await lastOn(subjects.runFinished(jobId));
  return event ? RunFinished.decode(event.data) : undefined;
};
const statusesOf = async (jobIds: string[]) =>
  (await Promise.all(jobIds.map(endOf))).map((end) => end?.status ?? 'open');

/** Breaks off every answer to a query of this table. */
const breakOff = (table: string) => (sql: string) => !sql.includes(table);
const SUCCEEDED = { status: 'succeeded', error_message: undefined };

test('a run fails at once without a dataset, and after its patience during a ClickHouse outage, naming the cause', async () => {
  const client = connectClickHouse(clickhouse.url);
  await migrateClickHouse(client, 'market', migrations);
  await client.close();
  const settings = { RUN_DEPENDENCY_PATIENCE_MS: String(SHORT_PATIENCE_MS) };
  await startWorkers(1, settings);
  const first = await requestRun();
  await expect.poll(() => endOf(first)).toBeDefined();
  expect(await endOf(first)).toMatchObject({
    status: 'failed',
    error_code: 'data_unavailable',
    error_message: FAILURE.noDataset.in.id,
  });

  await workers.pop()!.kill('SIGKILL');
  await clickhouse.kill9();
  const begun = performance.now();
  await startWorkers(1, settings);
  const second = await requestRun();
  await expect.poll(() => endOf(second)).toBeDefined();
  expect(await endOf(second)).toMatchObject({
    status: 'failed',
    error_code: 'data_unavailable',
    error_message: unreadableFor(SHORT_PATIENCE_MS).in.id,
  });
  expect(performance.now() - begun).toBeGreaterThan(SHORT_PATIENCE_MS);
  await clickhouse.start();
});

describe('with a market', () => {
  beforeAll(async () => {
    const client = connectClickHouse(clickhouse.url);
    const prices = { open: 100, high: 100, low: 100, close: 100, previous: 100, factor: 1, share_factor: 1 };
    const bar = { ...prices, dataset_version: VERSION, ticker: 'AAAA', volume: 10, value: 1_000 };
    const sides = { buy_shares: 10, buy_value: 1_000, sell_shares: 10, sell_value: 1_000 };
    const trade = { ticker: 'AAAA', broker: 'AK', mode: 'gross', market: 'REG', ...sides };
    const insert = (table: string, values: object[]) =>
      client.insert({ table: `market.${table}`, values, format: 'JSONEachRow' });
    await insert(
      'daily_bar',
      DATES.map((date) => ({ ...bar, date })),
    );
    await insert(
      'broker_flow',
      DATES.map((date) => ({ ...trade, date, segment: segmentOf(date) })),
    );
    const span = { first_date: DATES[0], last_date: LATEST, trading_days: DATES.length, tickers: 1 };
    const label = {
      version: VERSION,
      kind: 'real',
      broker_data: 'real',
      source: 'test',
      fingerprint: 'f00d',
    };
    const rows = {
      bars: DATES.length,
      broker_rows: DATES.length,
      broker_segments: [...new Set(DATES.map(segmentOf))],
    };
    await insert('dataset', [{ ...label, ...span, ...rows, published_at: 1 }]);
    await insert('served', [{ version: VERSION, served_at: 1 }]);
    await client.close();
  });

  test('workers that start during a ClickHouse outage claim no run, and all queued runs succeed after it', async () => {
    const runs = await Promise.all(Array.from({ length: 200 }, () => requestRun()));
    await clickhouse.kill9();
    await startWorkers(2);
    // A worker that claims runs does so as soon as it has started.
    await sleep(3_000);
    expect(await Promise.all(runs.map(hasStarted))).not.toContain(true);
    await clickhouse.start();
    const areOpen = async () => (await statusesOf(runs)).includes('open');
    await expect.poll(areOpen, { interval: 500 }).toBe(false);
    expect(new Set(await statusesOf(runs))).toEqual(new Set(['succeeded']));
  });

  test.each([
    ['the market', 'market.daily_bar', LATEST],
    ['its broker rows', 'market.broker_flow', LONG_AGO],
  ])(
    'a run that can no longer read %s waits, sends heartbeats, and succeeds after recovery',
    async (_, table, date) => {
      if (date === LATEST) proxy.onResponse = breakOff(table);
      await startWorkers(1);
      if (date === LONG_AGO) {
        const before = await requestRun();
        await expect.poll(() => endOf(before)).toMatchObject(SUCCEEDED);
        proxy.onResponse = breakOff(table);
      }
      const run = await requestRun(date);
      await expect.poll(() => hasStarted(run)).toBe(true);
      const beats: string[] = [];
      const listening = nats.connection.subscribe(subjects.runHeartbeats, {
        callback: (_error, { data }) => void beats.push(...RunHeartbeat.decode(data).job_ids),
      });
      await expect.poll(() => beats.filter((jobId) => jobId === run).length).toBeGreaterThan(2);
      listening.unsubscribe();
      expect(await endOf(run)).toBeUndefined();
      proxy.onResponse = () => true;
      await expect.poll(() => endOf(run)).toMatchObject(SUCCEEDED);
    },
  );

  test('a worker with the market in memory completes runs during a ClickHouse outage', async () => {
    await startWorkers(1);
    const before = await requestRun();
    await expect.poll(() => endOf(before)).toMatchObject(SUCCEEDED);
    await clickhouse.kill9();
    await expect.poll(() => workers[0]!.output()).toContain('datasets cannot be read');
    const run = await requestRun();
    await expect.poll(() => endOf(run)).toMatchObject(SUCCEEDED);
    await clickhouse.start();
  });
});
