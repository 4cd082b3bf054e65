import { pino } from 'pino';
import { beforeEach, expect, test } from 'vitest';
import type { ImportOutcome } from '#proto/saring/market_data/v1/datasets.ts';
import { IDX_CALENDAR } from '#quant/exchange/calendar/trading-calendar.ts';
import type { DatasetPublisher } from '#services/feed/market/dataset-publisher.ts';
import { Rounds } from '#services/feed/rounds.ts';
import { summaryJson } from '#services/feed/formats/summary-fixture.ts';
import { ownFolder } from '#services/feed/origins/folder-fixture.ts';
import { declaredIn, marketOf } from '#services/feed/sources/market-fixture.ts';
import { SourceFailure } from '#services/feed/deliveries/source-failure.ts';
import type { Source } from '#services/feed/sources/source.ts';
import { FetchStore } from '#services/feed/store/fetch-store.ts';
import { SourceStore } from '#services/feed/store/source-store.ts';
import { feedDatabase } from '#support/feed/feed-database.ts';
import { ownServers } from '#support/servers/servers.ts';

const servers = ownServers();
const log = pino({ level: 'silent' });
const HOUR_MS = 3_600_000;
const stored = feedDatabase(servers);

const own = ownFolder();
const { drop } = own;
let source: Source;
let rounds: Rounds;
let now: Date;
let inboxes = 0;
beforeEach(async () => {
  now = new Date('2024-07-03T20:00:00+07:00');
  const name = `inbox-${++inboxes}`;
  const clock = () => now;
  const declared = { name, format: 'idx_summary', from: { folder: own.path } };
  source = await declaredIn(own.path, declared, { clock, calendar: IDX_CALENDAR });
  const store = new SourceStore(stored.database);
  await store.declare([name], now);
  const outcome = {
    unchanged: false,
    rejections: [],
    findings: [],
  } as Partial<ImportOutcome> as ImportOutcome;
  rounds = new Rounds({
    ...{ store, fetches: new FetchStore(stored.database), clock, log },
    served: { read: async () => marketOf(['2024-06-28']) },
    publisher: { files: async () => outcome } as Partial<DatasetPublisher> as DatasetPublisher,
    tradingDays: (from, to) => IDX_CALENDAR.tradingDays(from, to),
    onPublished: async () => {},
  });
});

async function pass(ms: number): Promise<void> {
  const end = now.getTime() + ms;
  while (now.getTime() < end) {
    await rounds.serve(source, new AbortController().signal);
    now = new Date(now.getTime() + Math.max(5_000, ms / 100));
  }
}

async function fetched() {
  const fetches = await new FetchStore(stored.database).list({ source: source.name }, 1_000);
  const published = fetches.filter(({ outcome }) => outcome === 'published');
  return { count: fetches.length, published: published.map(({ subject }) => subject) };
}

test('files that cannot be read hold up no other, however many they are, and are tried once a day or when they change', async () => {
  for (let i = 0; i < 22; i++) await drop(`bad-${i}.json`, `no summary ${i}`, 10 + i);
  await drop('good.json', summaryJson('2024-07-01'), 100);
  await pass(HOUR_MS / 30);
  expect(await fetched()).toEqual({ count: 23, published: ['good.json'] });
  await pass(20 * HOUR_MS);
  expect(await fetched()).toEqual({ count: 23, published: ['good.json'] });
  await drop('bad-7.json', summaryJson('2024-07-02'), 200);
  await pass(HOUR_MS / 30);
  expect(await fetched()).toEqual({ count: 24, published: ['bad-7.json', 'good.json'] });
  await pass(24 * HOUR_MS);
  expect((await fetched()).count).toBe(24 + 21);
});

test('a file that is gone is not asked for again, whatever was wrong with it', async () => {
  const fetches = new FetchStore(stored.database);
  const id = await fetches.begin(source.name, 'gone.json', now);
  await fetches.failed([id], new SourceFailure('repeated_day', 'It brought what another file had.'), now);
  await pass(HOUR_MS);
  expect((await fetched()).count).toBe(1);
});
