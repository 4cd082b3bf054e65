import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { brokerDaysOf } from '#quant/broker-measures/broker-days-fixture.ts';
import type { BrokerDays } from '#quant/broker-measures/broker-days.ts';
import { MEASURES } from '#quant/broker-measures/measures.ts';
import { brokerFlowOf, type BrokerFixture, type FlowRowFixture } from '#quant/broker-rows/flow-fixture.ts';
import { panelOf, type BarFixture } from '#quant/panel/panel-fixture.ts';
import type { Panel } from '#quant/panel/panel.ts';
import type { DaySpan } from '#quant/panel/ranges.ts';
import type { ReadArrow } from '#market-reader/arrow-batch.ts';
import { Random } from '#quant/random.ts';
import { BrokerMonths } from '#services/model-worker/market/broker-months.ts';
import { BrokerDaysCache } from '#services/model-worker/market/broker-days-cache.ts';
import { readArrow } from '#platform/clickhouse/clickhouse-arrow.ts';
import { weekdays } from '#support/markets/idx-archive.ts';
import { ownClickHouse } from '#support/servers/own-clickhouse.ts';

/** January to March 2024, with one segment for each month. */
const DATES = weekdays('2024-01-02', 58);
const SEGMENTS = ['2024-01.a', '2024-02.a', '2024-03.a'];
const ALL_DAYS = { firstDay: 0, lastDay: DATES.length - 1 };
const TICKERS = ['AAAA', 'BBBB', 'CCCC'];
const TABLE: BrokerFixture[] = [
  { code: 'AK', is_foreign: true },
  { code: 'BK', is_foreign: true },
  { code: 'CC' },
  { code: 'MG' },
  { code: 'XL', is_retail: true },
  { code: 'YP', is_retail: true },
];
/** Includes two codes that the table lacks. */
const CODES = [...TABLE.map(({ code }) => code), '0Z', 'ABC9'];

const rows = stockDays().flatMap(({ ticker, date }, i) => tradesOf(ticker, date, new Random(1_000 + i)));
const panel = panelOf(barsOf(rows));

const own = ownClickHouse();
/** Segments that were summarised. Two segments are read in parallel, so their order may vary. */
let summarised: string[] = [];
const counted: ReadArrow = (sql, params) => {
  if (sql.includes('GROUP BY ticker, date')) summarised.push(params['segment'] as string);
  return readArrow(own.client, sql, params);
};

beforeAll(async () => {
  await storeRows('a', rows);
  await storeTable('v1', TABLE);
});
beforeEach(() => {
  summarised = [];
});

describe('broker summaries computed in ClickHouse', () => {
  test('equal the naive computation, for every measure and stock-day', async () => {
    const days = await held('v1').of(ALL_DAYS);
    const naive = brokerDaysOf(panel, brokerFlowOf(panel, rows, TABLE));
    const known = compare(days, naive);
    expect(known).toBeGreaterThan(100);
  });

  test('omit stock-days with net rows, unequal sides, or a volume that differs from the exchange', async () => {
    const days = await held('v1').of(ALL_DAYS);
    for (const { ticker, date, fault } of stockDays()) {
      const isKnown = days.isKnown(panel.tickerIndex(ticker), DATES.indexOf(date));
      expect([ticker, date, isKnown]).toEqual([ticker, date, fault === undefined]);
    }
  });

  test('use the broker classes of the requesting version, whatever other versions define', async () => {
    const other = TABLE.map((broker) => (broker.code === 'XL' ? { code: 'XL', is_foreign: true } : broker));
    await storeTable('v2', other);
    const before = held('v1');
    await before.of(ALL_DAYS);
    const days = await held('v2', SEGMENTS, before).of(ALL_DAYS);
    compare(days, brokerDaysOf(panel, brokerFlowOf(panel, rows, other)));
    compare(await before.of(ALL_DAYS), brokerDaysOf(panel, brokerFlowOf(panel, rows, TABLE)));
  });
});

describe('cached broker summaries', () => {
  test('are read month by month, only those needed, each once', async () => {
    const days = held('v1');
    const at = (date: string) => DATES.indexOf(date);
    const read = await days.of({ firstDay: at('2024-02-05'), lastDay: at('2024-02-06') });
    expect(summarised).toEqual(['2024-02.a']);
    expect([at('2024-01-31'), at('2024-02-01'), at('2024-03-01')].map((day) => read.holds(day))).toEqual([
      false,
      true,
      false,
    ]);
    expect(await days.of(undefined)).toBe(read);
    await days.of({ firstDay: at('2024-02-28'), lastDay: at('2024-03-01') });
    await days.of({ firstDay: at('2024-02-28'), lastDay: at('2024-03-01') });
    expect(summarised.toSorted()).toEqual(['2024-02.a', '2024-03.a']);
  });

  test('are shared with the next version on its own days and tickers; only changes are read', async () => {
    const before = held('v1');
    await before.of(ALL_DAYS);
    const newer = rows.filter(({ date }) => date >= '2024-03-01' && date !== DATES[55]);
    await storeRows('b', newer);
    await storeTable('v3', TABLE);
    summarised = [];
    const all = [...rows.filter(({ date }) => date < '2024-03-01'), ...newer];
    const listed = [{ ticker: 'AAAB', date: DATES.at(-1)!, close: 100 }];
    const grown = panelOf([...barsOf(rows), ...listed].toSorted((a, b) => (a.ticker < b.ticker ? -1 : 1)));
    const segments = ['2024-01.a', '2024-02.a', '2024-03.b'];
    const days = await new Held({ panel: grown, version: 'v3', segments }, before).of(ALL_DAYS);
    expect(summarised).toEqual(['2024-03.b']);
    compare(days, brokerDaysOf(grown, brokerFlowOf(grown, all, TABLE)));
  });

  test('are read once for threads that need them at the same time', async () => {
    const { months } = held('v1');
    await Promise.all([months.of(ALL_DAYS), months.of(ALL_DAYS), months.of({ firstDay: 0, lastDay: 0 })]);
    expect(summarised.toSorted()).toEqual(SEGMENTS);
  });

  test('are empty for a version without broker rows, without a query', async () => {
    const days = await held('v1', []).of(ALL_DAYS);
    expect([days.holds(0), summarised]).toEqual([false, []]);
  });

  test('remain available while ClickHouse is down; other months are an error', async () => {
    const days = held('v1');
    await days.of({ firstDay: 0, lastDay: 0 });
    await own.server.kill9();
    try {
      expect((await days.of({ firstDay: 0, lastDay: 2 })).holds(2)).toBe(true);
      await expect(days.of(ALL_DAYS)).rejects.toThrow();
    } finally {
      await own.server.start();
    }
    expect((await days.of(ALL_DAYS)).holds(DATES.length - 1)).toBe(true);
  });
});

/** The months of a version, and a thread that uses them. */
class Held {
  readonly months: BrokerMonths;
  readonly #days: BrokerDaysCache;

  constructor(rows: { panel: Panel; version: string; segments: readonly string[] }, before?: Held) {
    this.months = new BrokerMonths(counted, rows, undefined, before?.months);
    this.#days = new BrokerDaysCache(rows);
  }

  of(span: DaySpan | undefined): Promise<BrokerDays> {
    return this.#days.of(span, (missing) => this.months.of(missing));
  }
}

function held(version: string, segments = SEGMENTS, before?: Held): Held {
  return new Held({ panel, version, segments }, before);
}

/** Expects that all stock-days are equal. Returns how many of them are known. */
function compare(days: BrokerDays, expected: BrokerDays): number {
  let known = 0;
  for (let ticker = 0; ticker < days.panel.tickerCount; ticker++) {
    for (let day = 0; day < days.panel.dayCount; day++) {
      expect(days.isKnown(ticker, day)).toBe(expected.isKnown(ticker, day));
      if (!expected.isKnown(ticker, day)) continue;
      known++;
      for (const measure of MEASURES) {
        const wanted = expected.value(measure, ticker, day);
        const scale = Math.max(1, Math.abs(wanted));
        expect(Math.abs(days.value(measure, ticker, day) - wanted) / scale, measure).toBeLessThan(1e-6);
      }
    }
  }
  return known;
}

type Fault = 'net rows' | 'other volume' | 'unequal shares' | 'unequal values';

/** Every stock-day, some of them with a fault. */
function stockDays(): { ticker: string; date: string; fault: Fault | undefined }[] {
  const faults: (Fault | undefined)[] = ['net rows', 'other volume', 'unequal shares', 'unequal values'];
  return TICKERS.flatMap((ticker, t) =>
    DATES.map((date, i) => ({ ticker, date, fault: i % 3 === 0 ? faults[(t + i / 3) % 7] : undefined })),
  );
}

/** Trades between random brokers in both markets. On some days each trade is one lot, so that several brokers are tied. */
function tradesOf(ticker: string, date: string, random: Random): FlowRowFixture[] {
  const fault = stockDays().find((day) => day.ticker === ticker && day.date === date)?.fault;
  const sides = new Map(CODES.map((code) => [code, { b: 0, s: 0, bs: 0, ss: 0 }]));
  const trades = 1 + random.below(30);
  for (let i = 0; i < trades; i++) {
    const [buyer, seller] = [CODES[random.below(CODES.length)]!, CODES[random.below(CODES.length)]!];
    const isOneLot = date.endsWith('5');
    const [shares, price] = isOneLot ? [100, 100] : [100 * (1 + random.below(50)), 95 + random.below(10)];
    const [bought, sold] = [sides.get(buyer)!, sides.get(seller)!];
    bought.b += shares * price;
    bought.bs += shares;
    sold.s += shares * price;
    sold.ss += shares;
  }
  const mode = fault === 'net rows' ? ('net' as const) : ('gross' as const);
  const regular = [...sides].flatMap(([broker, { b, s, bs, ss }]) =>
    b + s === 0
      ? []
      : [
          {
            ticker,
            date,
            broker,
            mode,
            buy_value: b,
            sell_value: s,
            buy_shares: bs,
            sell_shares: ss,
          },
        ],
  );
  if (fault === 'unequal shares') regular[0]!.sell_shares += 100;
  if (fault === 'unequal values') regular[0]!.sell_value += 1_000;
  const block = {
    ticker,
    date,
    market: 'NEGO' as const,
    buy_shares: 7,
    buy_value: 700,
    sell_shares: 7,
    sell_value: 700,
  };
  return [...regular, { ...block, broker: 'CC' }];
}

/** Bars with the volume of the rows, apart from days whose fault is another volume. */
function barsOf(of: readonly FlowRowFixture[]): BarFixture[] {
  const volumes = new Map<string, number>();
  for (const { ticker, date, market, buy_shares } of of) {
    const key = `${ticker} ${date}`;
    if (market !== 'NEGO') volumes.set(key, (volumes.get(key) ?? 0) + buy_shares!);
  }
  return stockDays().map(({ ticker, date, fault }) => {
    const volume = volumes.get(`${ticker} ${date}`)!;
    return { ticker, date, close: 100, volume: fault === 'other volume' ? 1.02 * volume : volume };
  });
}

async function storeRows(id: string, of: readonly FlowRowFixture[]): Promise<void> {
  const values = of.map((row) => ({
    market: 'REG',
    mode: 'gross',
    ...row,
    segment: `${row.date.slice(0, 7)}.${id}`,
  }));
  await own.client.insert({ table: 'market.broker_flow', values, format: 'JSONEachRow' });
}

async function storeTable(version: string, table: readonly BrokerFixture[]): Promise<void> {
  const values = table.map(({ code, is_retail, is_foreign }) => ({
    dataset_version: version,
    code,
    name: code,
    is_retail: Number(is_retail ?? false),
    is_foreign: Number(is_foreign ?? false),
  }));
  await own.client.insert({ table: 'market.broker', values, format: 'JSONEachRow' });
}
