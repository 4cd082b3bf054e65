import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SourceState } from '#proto/saring/events/v1/feeds.ts';
import { createLogger } from '#platform/operations/logger.ts';
import { natsOptions } from '#platform/nats/connection.ts';
import { startFeedHeartbeat } from '#shared/life-signs/feed-heartbeats.ts';
import { idxFile } from '#support/markets/idx-archive.ts';
import { startService } from '#support/processes/service-process.ts';
import { anybody } from '#support/services/dataset-client.ts';
import { testMarketData } from '#support/services/test-market-data.ts';

const own = testMarketData();
/** A Friday long ago, so that days are missing whenever the test runs. */
const LAST_DAY = '2024-06-28';
let feed: NatsConnection;
beforeAll(async () => {
  await own.importFiles({ 'AAAA.csv': idxFile([{ date: LAST_DAY, close: 100 }]) });
  feed = await connect(natsOptions(own.natsServer.urlOf('feed'), 'feed'));
});
afterAll(() => feed?.close());

const current = async () => (await own.datasets.getCurrentDataset({}, anybody)).freshness!;

test('the reason is what the feed says of its sources, and the overview gives it in the language of the caller', async () => {
  let sources: SourceState[] = [];
  const stop = startFeedHeartbeat(feed, async () => sources, createLogger('test', 'silent'));
  const cause = async () => (await current()).cause;
  await expect.poll(cause).toBe('no_source');
  sources = [{ name: 'summary', format: 'idx_summary', state: 'failing', reason: 'It answered 403.' }];
  await expect.poll(cause).toBe('failing');
  await stop();
  const { reason, reason_english, advice } = await current();
  expect(advice).toMatch(/^The source summary fails: It answered 403\. /);
  const overview = async (language?: 'en') =>
    (await own.market.getMarketOverview({ language }, anybody)).freshness;
  expect(await overview()).toMatchObject({ cause: 'failing', reason });
  expect(await overview('en')).toMatchObject({ cause: 'failing', reason: reason_english });
});

test('without a heartbeat for fifteen seconds no feed runs', async () => {
  await expect.poll(async () => (await current()).cause).toBe('no_feed');
});

test('a mistake in the file of the calendar stops the start and is named', async () => {
  const env = {
    CLICKHOUSE_URL: own.clickhouse.urlOf('market-data'),
    NATS_URL: own.natsServer.urlOf('market-data'),
    CURSOR_SECRET: 'cursor-secret-of-a-test',
  };
  await expect(startService('market-data', { ...env, CALENDAR_FILE: '/none/calendar.json' })).rejects.toThrow(
    'saring market-data cannot start: CALENDAR_FILE /none/calendar.json cannot be read: ENOENT',
  );
});
