import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { brokersOf } from '#services/market-data/broker-responses/brokers.ts';
import { negoScanOf } from '#services/market-data/responses/nego-scan.ts';
import {
  OlderBrokerDays,
  type CancellableReadArrow,
} from '#services/market-data/in-memory/older-broker-days.ts';
import { readArrow } from '#platform/clickhouse/clickhouse-arrow.ts';
import { DATES, FIRST_HELD, TICKERS, loaded, storeOlderDays } from '#support/markets/older-days.ts';
import { HANGS_AFTER_MS } from '#support/hangs.ts';
import { ownClickHouse } from '#support/servers/own-clickhouse.ts';

const TODAY = '2024-12-31';
/** How many readings are kept. */
const MAX_KEPT = 50;
/** A deadline for bursts that no load on the machine exceeds. */
const PATIENT_MS = 60_000;
/** A deadline so long that all older days, read four at a time, would exceed `HANGS_AFTER_MS` if each had its own. */
const DEADLINE_MS = 3_000;
const OVERDUE = {
  code: 'data_unavailable',
  message: 'The broker rows of that day could not be read in time. Try again.',
};
/** How many readings run in parallel, with one query each. */
const MAX_READING = 4;
/** How many readings may run or wait; further ones are refused. */
const MAX_ACCEPTED = 104;
const OLDER_DAYS = Array.from({ length: FIRST_HELD - 1 }, (_, i) => i + 1);

const own = ownClickHouse();
/** Number of queries that reached the store. */
let queries = 0;
let older: OlderBrokerDays;
/** Number of queries in progress, and the highest such number. */
let open = 0;
let mostOpen = 0;
const counted: CancellableReadArrow = async function* (...query) {
  queries++;
  mostOpen = Math.max(mostOpen, ++open);
  try {
    yield* readArrow(own.client, ...query);
  } finally {
    open--;
  }
};

beforeAll(() => storeOlderDays(own.client));
beforeEach(() => {
  queries = 0;
  mostOpen = 0;
  older = new OlderBrokerDays(counted);
});

const brokers = (day: number, ticker = 'AAAA', from = older) =>
  brokersOf(
    loaded,
    { ticker, date: DATES[day]!, market: 'REG', top_n: 10, sort_by: 'value' },
    TODAY,
    from.rowsOfDay,
  );

test('a day older than those in memory is read from the store, with its version’s names and classes', async () => {
  const { top_buyers, top_sellers, totals, coverage_pct } = await brokers(30);
  const net = 200 + 2 * 29;
  expect(top_buyers).toEqual([
    {
      broker: 'AK',
      broker_name: 'UBS',
      is_retail: false,
      is_foreign: true,
      buy_shares: 629,
      buy_value: 62_900,
      avg_buy_price: 100,
      net_shares: net,
      net_value: 100 * net,
    },
  ]);
  expect(top_sellers).toMatchObject([{ broker: 'ZZ', broker_name: undefined, net_value: -100 * net }]);
  expect(totals).toMatchObject({ buy_value: 100_000, net_value: 0 });
  expect(coverage_pct).toBe(100);
});

test('a scan of an older day shows the top buyer and seller', async () => {
  const wanted = { date: DATES[2]!, min_val: 0, top_n: 10 };
  const { items } = await negoScanOf(loaded, wanted, TODAY, older.rowsOfDay);
  expect(items.map(({ ticker, top_buyer, top_seller }) => [ticker, top_buyer, top_seller])).toEqual([
    ['AAAA', 'AK', 'AK'],
    ['BBBB', 'ZZ', 'ZZ'],
  ]);
});

test('days in memory and days without broker rows cause no query', async () => {
  await expect(brokers(FIRST_HELD)).rejects.toMatchObject({ code: 'not_found' });
  await expect(brokers(0)).rejects.toMatchObject({ code: 'not_found' });
  expect(queries).toBe(0);
});

test('a day is read once, and simultaneous callers share the read', async () => {
  const [first, second] = await Promise.all([brokers(5), brokers(5)]);
  expect(second).toEqual(first);
  const once = queries;
  expect(await brokers(5)).toEqual(first);
  expect(queries).toBe(once);
  await brokers(5, 'BBBB');
  expect(queries).toBe(2 * once);
});

test('the cache keeps the most recently used days', async () => {
  await brokers(1);
  const once = queries;
  for (let day = 2; day <= MAX_KEPT; day++) await brokers(day);
  await brokers(1);
  await brokers(1, 'BBBB');
  expect(queries).toBe((MAX_KEPT + 1) * once);
  await brokers(1);
  expect(queries, 'the one used last').toBe((MAX_KEPT + 1) * once);
  await brokers(2);
  expect(queries, 'the one not used for longest').toBe((MAX_KEPT + 2) * once);
});

test('a store that does not answer is data_unavailable within the deadline, and the next call retries', async () => {
  const impatient = new OlderBrokerDays(counted, DEADLINE_MS / 2);
  await own.server.freeze();
  try {
    const begun = performance.now();
    await expect(brokers(7, 'AAAA', impatient)).rejects.toMatchObject(OVERDUE);
    expect(performance.now() - begun).toBeLessThan(HANGS_AFTER_MS);
  } finally {
    own.server.thaw();
  }
  expect(await brokers(7)).toMatchObject({ date: DATES[7] });
  await expect.poll(() => brokers(7, 'AAAA', impatient)).toMatchObject({ date: DATES[7] });
});

test('sixty simultaneous requests are all read, four at a time', async () => {
  older = new OlderBrokerDays(counted, PATIENT_MS);
  const responses = await Promise.all(OLDER_DAYS.map((day) => brokers(day)));
  expect(responses.map(({ date }) => date)).toEqual(DATES.slice(1, FIRST_HELD));
  expect(mostOpen).toBe(MAX_READING);
});

test('requests beyond the queue limit are refused at once, without harm to the queue or the cache', async () => {
  older = new OlderBrokerDays(counted, PATIENT_MS);
  await brokers(1);
  const once = queries;
  const order: string[] = [];
  const burst = TICKERS.flatMap((ticker) => OLDER_DAYS.map((day) => brokers(day, ticker)));
  for (const response of burst)
    response.then(() => order.push('answered')).catch(() => order.push('refused'));
  const refused = (await Promise.allSettled(burst)).filter(({ status }) => status === 'rejected');
  const tooMany = { code: 'data_unavailable', message: 'Too many older days are being read. Try again.' };
  expect(refused).toHaveLength(burst.length - 1 - MAX_ACCEPTED);
  for (const { reason } of refused as PromiseRejectedResult[]) expect(reason).toMatchObject(tooMany);
  expect(order.lastIndexOf('refused'), 'only the kept one may be faster').toBeLessThanOrEqual(refused.length);
  expect(queries).toBe((1 + MAX_ACCEPTED) * once);
});

test('while the store does not answer all waiting calls fail in time, and no query starts or continues later', async () => {
  const impatient = new OlderBrokerDays(counted, DEADLINE_MS);
  expect((OLDER_DAYS.length / MAX_READING) * DEADLINE_MS).toBeGreaterThan(HANGS_AFTER_MS);
  await own.server.freeze();
  try {
    const waiting = OLDER_DAYS.map((day) => brokers(day, 'AAAA', impatient));
    const [requestedBy, before] = [performance.now(), queries];
    const outcomes = await Promise.allSettled(waiting);
    expect(performance.now() - requestedBy).toBeLessThan(HANGS_AFTER_MS);
    for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: OVERDUE });
    await expect.poll(() => open).toBe(0);
    expect(queries - before, 'what waited was never asked').toBeLessThanOrEqual(MAX_READING);
  } finally {
    own.server.thaw();
  }
  const requested = queries;
  await sleep(2 * DEADLINE_MS);
  expect(queries).toBe(requested);
  await expect.poll(() => brokers(7)).toMatchObject({ date: DATES[7] });
});

test('an aborted read ends with the abort reason', async () => {
  const cut = new AbortController();
  const reason = new Error('cut off');
  const rows = readArrow(own.client, 'SELECT number FROM system.numbers', {}, cut.signal);
  await rows.next();
  cut.abort(reason);
  const drained = async () => {
    for await (const _ of rows);
  };
  await expect(drained()).rejects.toBe(reason);
});

test('an unavailable store is data_unavailable', async () => {
  await own.server.kill9();
  try {
    await expect(brokers(8)).rejects.toMatchObject({ code: 'data_unavailable' });
  } finally {
    await own.server.start();
  }
  await expect.poll(() => brokers(8)).toMatchObject({ date: DATES[8] });
});
