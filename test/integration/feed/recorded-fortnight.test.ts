import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { DatasetServiceService } from '#proto/saring/market_data/v1/datasets.ts';
import { IDX_CALENDAR } from '#quant/exchange/calendar/trading-calendar.ts';
import { createFeed } from '#services/feed/create-feed.ts';
import { createSources } from '#services/feed/sources/create-sources.ts';
import { readDefinitions } from '#services/feed/sources/definition.ts';
import type { Source } from '#services/feed/sources/source.ts';
import { SourceStore } from '#services/feed/store/source-store.ts';
import { MarketFreshness } from '#services/market-data/freshness/freshness.ts';
import { jakartaDay } from '#foundation/jakarta-time.ts';
import { feedDatabase } from '#support/feed/feed-database.ts';
import {
  QUIRKS,
  RecordedExchange,
  RETRY_AFTER_SECONDS,
  type Quirk,
} from '#support/feed/recorded-exchange.ts';
import { clientOf, identityOf } from '#support/processes/service-process.ts';
import { ownServers } from '#support/servers/servers.ts';
import { operator } from '#support/services/dataset-client.ts';
import { TestScheduler } from '#support/services/test-scheduler.ts';
import { testMarketData } from '#support/services/test-market-data.ts';

const servers = ownServers();
const own = testMarketData();
const stored = feedDatabase(servers);
/** Follows the market of the test. Keys and models are fakes. */
const scheduler = new TestScheduler(servers);
const log = pino({ level: 'silent' });
const BASE = IDX_CALENDAR.tradingDays('2024-05-13', '2024-05-31');
const FORTNIGHT = IDX_CALENDAR.tradingDays('2024-06-03', '2024-06-14');
const SOURCE = 'exchange';
/** How far the clock moves at least between two rounds: the feed looks for due days more often than matters here. */
const STEP_MS = 120_000;

let now = new Date();
const exchange = new RecordedExchange(() => jakartaDay(now));
let datasets: ReturnType<typeof clientOf<typeof DatasetServiceService>>;
let folder: string;
let feed: ReturnType<typeof createFeed>;
let freshness: MarketFreshness;

beforeAll(async () => {
  await exchange.start();
  folder = await mkdtemp(path.join(tmpdir(), 'saring-feed-'));
  const identity = identityOf('feed');
  datasets = clientOf(DatasetServiceService, own.address, { identity, timeoutMs: 60_000 });
  await scheduler.others.start();
  await scheduler.start(1, { MARKET_DATA_ADDRESS: own.address });
});
afterAll(async () => {
  await scheduler.stop();
  await scheduler.others.stop();
  exchange.stop();
  datasets?.close();
  await rm(folder, { recursive: true, force: true });
});

/** A market that ends before the fortnight, and a feed that has done nothing yet. */
beforeEach(startAnew);
async function startAnew(): Promise<void> {
  now = evening(BASE.at(-1)!);
  exchange.reset(() => jakartaDay(now));
  await Promise.all([
    stored.database.deleteFrom('fetch_log').execute(),
    stored.database.deleteFrom('source').execute(),
    exchange.archive(BASE).then((archive) => own.importBytes(archive, { source: 'history' })),
  ]);
  const declared = path.join(folder, 'sources.json');
  const source = { name: SOURCE, format: 'idx_summary', from: { url: exchange.url }, timeout_seconds: 1 };
  await writeFile(declared, JSON.stringify({ sources: [source] }));
  const clock = () => now;
  const surroundings = { calendar: IDX_CALENDAR, clock, env: process.env };
  sources = createSources(await readDefinitions(declared), surroundings);
  const limits = { keepVersions: 3, fetchRetentionDays: 0 };
  feed = createFeed({
    database: stored.database,
    datasets,
    sources,
    calendar: IDX_CALENDAR,
    ...limits,
    clock,
    log,
  });
  await new SourceStore(stored.database).declare([SOURCE], now);
  let told = await feed.feed.barSources();
  const pace = { pace: 'off', syntheticDayMs: 0 } as const;
  freshness = new MarketFreshness({ calendar: IDX_CALENDAR, clock, ...pace, feed: { sources: () => told } });
  tellSources = async () => void (told = await feed.feed.barSources());
}
let sources: Source[];
let tellSources: () => Promise<void>;

function evening(day: string, time = '18:36'): Date {
  return new Date(`${day}T${time}:00+07:00`);
}

/** Lets the feed work until it waits for nothing, or the evening is over. */
async function follow(day: string): Promise<void> {
  now = evening(day);
  const end = evening(day, '21:00');
  const store = new SourceStore(stored.database);
  while (now < end) {
    for (const source of sources) await feed.rounds.serve(source, new AbortController().signal);
    const { reason, due_subject, next_attempt_at: next } = (await store.find(SOURCE))!;
    if (reason === null && due_subject === null && next > now) break;
    now = new Date(Math.min(end.getTime(), Math.max(now.getTime() + STEP_MS, next.getTime())));
  }
  await tellSources();
  await served();
}

/** The served dataset, once market-data answers from what is published. */
async function served() {
  const current = async () => (await datasets.getCurrentDataset({}, { requestId: 'req_test' })).dataset!;
  const newest = async () => (await own.datasets.listDatasets({}, operator)).served_version;
  await expect.poll(async () => (await current()).version === (await newest())).toBe(true);
  return current();
}

const fetches = (subject: string) => feed.fetches.list({ source: SOURCE, subject }, 100);
const problemsOf = async (day: string) => (await fetches(day)).flatMap(({ problem }) => problem ?? []);

/** All bars of the served market. */
async function rows() {
  const { version } = await served();
  return own.select(
    `SELECT * EXCEPT (dataset_version, origin) FROM market.daily_bar WHERE dataset_version = {version:String} ORDER BY date, ticker`,
    { version },
  );
}

/** The bars of a market to which the same days were imported at once, by hand. */
async function rowsOfTruth(days: readonly string[]) {
  const archive = await exchange.archive([...BASE, ...days]);
  await own.importBytes(archive, { source: 'truth' });
  return rows();
}

test('a fortnight of a source with all its faults is followed day by day, a schedule runs once on each new day, and nothing is missing or wrong in the end', async () => {
  const [first, second, third, fourth, fifth, sixth, seventh, eighth, ninth, tenth] = FORTNIGHT as [
    string,
    ...string[],
  ];
  const script = new Map<string, Quirk[]>([
    [first, ['yesterday’s numbers under today’s date']],
    [second!, ['no answer in time', 'a bot wall']],
    [third!, ['too many requests, with Retry-After', 'too many requests, without Retry-After']],
    [fourth!, ['an empty list', 'an empty body']],
    [fifth!, ['yesterday’s rows', 'yesterday’s numbers under today’s date']],
    [sixth!, ['a renamed field']],
    [seventh!, ['JSON that ends early', 'a connection that breaks off']],
    [eighth!, ['numbers as text']],
  ]);
  for (const [day, quirks] of script) exchange.quirks.set(day, [...quirks]);
  exchange.lateUntil.set(ninth!, tenth!);
  exchange.correctedOn.set(sixth!, eighth!);

  const schedule = await scheduler.create();
  const versions = new Map<string, string>();
  for (const day of FORTNIGHT) {
    await follow(day);
    const dataset = await served();
    versions.set(day, dataset.version);
    if (day !== ninth) await scheduler.untilRun(schedule, day);
    const judged = freshness.of(dataset);
    if (day === ninth) {
      expect(judged, day).toMatchObject({
        data_as_of: eighth,
        expected_as_of: ninth,
        behind_trading_days: 1,
      });
      expect(judged, day).toMatchObject({ is_late: true, cause: 'failing' });
      expect(judged.advice).toMatch(
        /The source exchange fails: .* has nothing for 2024-06-13 yet \(status 404\)/,
      );
      expect(versions.get(day)).toBe(versions.get(eighth!));
      continue;
    }
    expect(judged, day).toMatchObject({ data_as_of: day, expected_as_of: day, behind_trading_days: 0 });
    expect(judged, day).toMatchObject({ is_late: false, cause: undefined });
    const expected = (script.get(day) ?? []).flatMap((quirk) => QUIRKS[quirk] ?? []);
    expect(await problemsOf(day), day).toEqual(expect.arrayContaining(expected));
    const published = (await fetches(day)).filter(({ outcome }) => outcome === 'published');
    expect(published, day).toMatchObject([
      { dataset_version: dataset.version, rows: '30', rejected_rows: '0' },
    ]);
  }
  expect(await problemsOf(ninth!)).toContain('not_published');
  expect((await fetches(ninth!))[0]).toMatchObject({
    outcome: 'published',
    dataset_version: versions.get(tenth!),
  });
  const [correction, ...before] = (await fetches(sixth!)).filter(({ outcome }) => outcome === 'published');
  expect(correction).toMatchObject({
    dataset_version: versions.get(eighth!),
    findings: [
      'the source has corrected what it gave before',
      `values restated on ${sixth}: 12 (first QAAX ${sixth})`,
    ],
  });
  expect((await own.datasets.listDatasets({}, operator)).datasets.map(({ source }) => source)).toContainEqual(
    expect.stringContaining(`${SOURCE}: ${eighth}, correction of ${sixth}`),
  );
  expect(before).toMatchObject([{ dataset_version: versions.get(sixth!) }]);
  expect(await feed.feed.list()).toMatchObject([{ state: 'idle', last_day: tenth, reason: undefined }]);
  const waited = (await fetches(third!))
    .toReversed()
    .slice(0, 2)
    .map(({ started_at }) => started_at.getTime());
  expect(waited[1]! - waited[0]!).toBeGreaterThanOrEqual(RETRY_AFTER_SECONDS * 1_000);
  // The ninth day came together with the tenth, and a list of it would be a day old.
  const ran = FORTNIGHT.filter((day) => day !== ninth);
  await scheduler.untilFired(
    schedule,
    ran.toReversed().map((day) => [day, 'accepted'] as const),
  );
  expect(scheduler.runsOf(schedule)).toEqual(ran);
  expect(scheduler.others.submitted.map(({ trading_day }) => trading_day)).toEqual(ran);
  await scheduler.client.deleteSchedule({ id: schedule.id }, operator);
  const followed = await rows();
  expect(followed).toEqual(await rowsOfTruth(FORTNIGHT));
});

test('in whatever order the faults come, the market is the same in the end', async () => {
  // Each publication costs a second of processor time, so that three faults share a day.
  const days = FORTNIGHT.slice(0, 4);
  const names = Object.keys(QUIRKS) as Quirk[];
  const arbitrary = fc.record({
    quirks: fc.shuffledSubarray(names, { minLength: names.length }),
    late: fc.nat(days.length - 2),
    corrected: fc.nat(days.length - 3),
  });
  await fc.assert(
    fc.asyncProperty(arbitrary, async ({ quirks, late, corrected }) => {
      await startAnew();
      for (const [i, quirk] of quirks.entries()) {
        const day = days[i % days.length]!;
        exchange.quirks.set(day, [...(exchange.quirks.get(day) ?? []), quirk]);
      }
      exchange.lateUntil.set(days[late]!, days[late + 1]!);
      exchange.correctedOn.set(days[corrected]!, days[corrected + 2]!);
      for (const day of days) await follow(day);
      expect(await feed.fetches.list({ outcome: 'running' }, 10)).toEqual([]);
      expect(await feed.feed.list()).toMatchObject([{ state: 'idle', last_day: days.at(-1) }]);
      const followed = await rows();
      expect(followed).toEqual(await rowsOfTruth(days));
    }),
    { numRuns: 2 },
  );
});
