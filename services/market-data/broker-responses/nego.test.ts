import { describe, expect, test } from 'vitest';
import { brokerFlowOf, type FlowRowFixture } from '#quant/broker-rows/flow-fixture.ts';
import { panelOf } from '#quant/panel/panel-fixture.ts';
import { loadedOf, rowsInMemory } from '../in-memory/loaded-fixture.ts';
import { negoScanOf, negoWindowOf } from '../responses/nego-scan.ts';
import { negoOf } from './nego.ts';

const TODAY = '2024-12-31';
/** A Friday, Monday and Tuesday. */
const [FRI, MON, TUE] = ['2024-01-05', '2024-01-08', '2024-01-09'] as const;

const panel = panelOf([
  { ticker: 'AAAA', date: FRI, close: 100, nego_volume: 20, nego_value: 2_200, nego_frequency: 3 },
  { ticker: 'AAAA', date: MON, close: 110, volume: 0 },
  { ticker: 'AAAA', date: TUE, close: 120, volume: 100, nego_volume: 10, nego_value: 120, nego_frequency: 1 },
  { ticker: 'BBBB', date: FRI, close: 50, nego_volume: 2, nego_value: 90, nego_frequency: 1 },
  { ticker: 'BBBB', date: MON, close: 50, volume: 0, nego_volume: 100, nego_value: 5_000, nego_frequency: 1 },
  { ticker: 'CCCC', date: TUE, close: 50 },
]);
const market = loadedOf(panel);

describe('negotiated trading of a stock', () => {
  test('lists every trading day, with value 0 and no prices on days without negotiated trades', () => {
    const { items, summary, days } = negoOf(market, { ticker: 'aaaa', days: 250 });
    expect(days).toBe(250);
    expect(items.map(({ date, nego_value }) => [date, nego_value])).toEqual([
      [FRI, 2_200],
      [MON, 0],
      [TUE, 120],
    ]);
    expect(items[0]).toMatchObject({
      close: 100,
      nego_avg_price: 110,
      nego_premium: 0.1,
      nego_to_regular_pct: 2.2,
    });
    expect(items[1]).toMatchObject({ nego_volume: 0, nego_frequency: 0, outlier: false });
    expect([items[1]!.nego_avg_price, items[1]!.nego_premium, items[1]!.nego_to_regular_pct]).toEqual(
      Array(3).fill(undefined),
    );
    expect(summary).toEqual({
      total_value: 2_320,
      days_active: 2,
      avg_premium: Number((2_320 / (2_000 + 1_200) - 1).toFixed(6)),
    });
  });

  test('keeps a price far off the close and flags it as an outlier', () => {
    const [last] = negoOf(market, { ticker: 'AAAA', days: 1 }).items;
    expect(last).toMatchObject({ date: TUE, nego_premium: -0.9, outlier: true });
  });

  test('has an empty summary for a stock without negotiated trades', () => {
    const { items, summary } = negoOf(market, { ticker: 'CCCC', days: 5 });
    expect([items.length, summary]).toEqual([1, { total_value: 0, days_active: 0, avg_premium: undefined }]);
  });
});

describe('the scan of one day', () => {
  const scan = (wanted: object = {}, today = TODAY) =>
    negoScanOf(market, { date: 'today', min_val: 1, top_n: 20, ...wanted }, today, rowsInMemory);
  const found = async (wanted: object) => (await scan(wanted)).items.map(({ ticker }) => ticker);

  test('returns at most top_n stocks with at least min_val, largest first', async () => {
    expect(await found({ date: FRI })).toEqual(['AAAA', 'BBBB']);
    expect(await found({ date: FRI, top_n: 1 })).toEqual(['AAAA']);
    expect(await found({ date: FRI, min_val: 90 })).toHaveLength(2);
    expect(await found({ date: FRI, min_val: 91 })).toHaveLength(1);
    expect(await scan({ date: FRI, min_val: 1e12 })).toEqual({
      date: FRI,
      min_val: 1e12,
      count: 0,
      items: [],
      dataset_version: 'v1',
      broker_data: 'none',
      adjusted: true,
      adjusted_to: TUE,
    });
  });

  test('finds a block in a stock without regular trades and omits stocks without a block', async () => {
    expect((await scan({ date: MON, min_val: 0 })).items).toMatchObject([
      { ticker: 'BBBB', close: 50, nego_premium: 0, regular_value: 0, top_buyer: undefined },
    ]);
  });
});

describe('the scan of a window', () => {
  const scan = (days: number, wanted: object = {}, today = TODAY) =>
    negoWindowOf(market, { days, min_val: 1, top_n: 20, ...wanted }, today);

  test('sums each stock over the window and compares each block with the close of its own day', () => {
    expect(scan(5).items).toEqual([
      expect.objectContaining({
        ticker: 'BBBB',
        nego_value: 5_090,
        total_value: 5_090,
        nego_volume: 102,
        close: 50,
        days_active: 2,
        max_day_value: 5_000,
        last_date: MON,
        avg_close: 50,
        outlier: false,
      }),
      expect.objectContaining({
        ticker: 'AAAA',
        total_value: 2_320,
        days_active: 2,
        max_day_value: 2_200,
        last_date: TUE,
        close: 120,
        nego_avg_price: 77.3333,
        avg_close: 106.6667,
        nego_premium: -0.275,
        nego_frequency: 4,
      }),
    ]);
    expect(scan(4).items.map(({ ticker, total_value }) => [ticker, total_value])).toEqual([
      ['BBBB', 5_000],
      ['AAAA', 120],
    ]);
  });
});

describe('the top buyer and top seller of negotiated trades', () => {
  const row = (date: string, broker: string, buy_value: number, sell_value: number): FlowRowFixture => ({
    ticker: 'AAAA',
    date,
    market: 'NEGO',
    broker,
    buy_value,
    sell_value,
  });
  const friday = [row(FRI, 'XL', 2_200, 0), row(FRI, 'AP', 0, 2_000), row(FRI, 'CC', 0, 200)];
  const tuesday = [row(TUE, 'CC', 120, 0), row(TUE, 'XL', 0, 120)];
  const marketWith = (rows: FlowRowFixture[]) => loadedOf(panel, {}, brokerFlowOf(panel, rows));
  const leaders = (
    items: { ticker: string; top_buyer?: string | undefined; top_seller?: string | undefined }[],
  ) => items.map(({ ticker, top_buyer, top_seller }) => [ticker, top_buyer, top_seller]);

  test('are given for each stock that has broker rows', async () => {
    const wanted = { date: FRI, min_val: 0, top_n: 20 };
    const { items, broker_data } = await negoScanOf(marketWith(friday), wanted, TODAY, rowsInMemory);
    expect(broker_data).toBe('real');
    expect(leaders(items)).toEqual([
      ['AAAA', 'XL', 'AP'],
      ['BBBB', undefined, undefined],
    ]);
  });

  test('of a window follow its sums, and are unknown if a day with negotiated trades has no rows', () => {
    const window = (rows: FlowRowFixture[]) =>
      leaders(negoWindowOf(marketWith(rows), { days: 5, min_val: 0, top_n: 20 }, TODAY).items).at(-1);
    expect(window([...friday, ...tuesday])).toEqual(['AAAA', 'XL', 'AP']);
    expect(window(friday)).toEqual(['AAAA', undefined, undefined]);
  });

  test('of a day that is not in memory come from rows read on demand', async () => {
    const read = async () => brokerFlowOf(panel, friday);
    const scan = await negoScanOf(market, { date: FRI, min_val: 0, top_n: 1 }, TODAY, read);
    expect(leaders(scan.items)).toEqual([['AAAA', 'XL', 'AP']]);
  });
});
