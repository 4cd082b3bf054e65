import { describe, expect, test } from 'vitest';
import { brokerFlowOf } from '#quant/broker-rows/flow-fixture.ts';
import { epochDayFromIso, isoFromEpochDay } from '#foundation/iso-day.ts';
import { panelOf, type BarFixture } from '#quant/panel/panel-fixture.ts';
import { marketOverview, newestOverview } from '#quant/overview/market-overview.ts';
import { Panel } from '#quant/panel/panel.ts';
import { regimeHistory } from '#quant/regime/regime.ts';
import { CursorSigner } from '#platform/paging/cursor.ts';
import { stocksOf } from '../stock-responses/stocks.ts';
import { flowsOf } from './flows.ts';
import { loadedOf, rowsInMemory } from '../in-memory/loaded-fixture.ts';
import { isLastDayPartial } from './partial-day.ts';
import { compareOf } from '../stock-responses/compare.ts';
import { marketOverviewOf, quotesOf } from './market-overview.ts';
import { negoWindowOf } from './nego-scan.ts';
import { negoOf } from '../broker-responses/nego.ts';
import { turningPointOf } from './turning-points.ts';
import { brokersOf } from '../broker-responses/brokers.ts';
import { brokerStocksOf } from '../broker-responses/broker-stocks.ts';
import { brokerWindowOf } from '../broker-responses/broker-window.ts';
import { snapshotOf } from '../stock-responses/snapshot.ts';
import type { LoadedDataset } from '../in-memory/loaded-dataset.ts';

const TODAY = '2024-12-31';

function loaded(bars: BarFixture[], kind = 'real'): LoadedDataset {
  const panel = panelOf(bars, [
    { ticker: 'AAAA', name: 'Alpha Tbk.', sector: '', board: 'Utama', listed_on: null },
  ]);
  return loadedOf(panel, { kind });
}

const day = (number: number) => `2024-01-${String(number).padStart(2, '0')}`;

describe('quotes', () => {
  const market = loaded([
    { ticker: 'AAAA', date: day(1), close: 100 },
    { ticker: 'AAAA', date: day(2), close: 103, previous: 100 },
    { ticker: 'GONE', date: day(1), close: 50 },
    { ticker: 'IDLE', date: day(2), close: 70, volume: 0 },
    { ticker: 'NEWW', date: day(2), close: 70, previous: 0 },
  ]);

  test('cover the last day and measure the change against the reference price', () => {
    expect(quotesOf(market, ['AAAA'])).toEqual({
      quotes: { AAAA: { close: 103, change_pct: 3, date: day(2) } },
      dataset_version: 'v1',
      adjusted: true,
      adjusted_to: day(2),
    });
  });

  test('omit tickers that did not trade that day: delisted, suspended or unknown', () => {
    expect(quotesOf(market, ['GONE', 'IDLE', 'ZZZZ']).quotes).toEqual({});
  });

  test('without a reference price change from the close of the trading day before, or by nothing that is known', () => {
    const unsaid = (dates: number[]) =>
      dates.map((date, i) => ({ ticker: 'POOR', date: day(date), close: [770, 785][i]!, previous: 0 }));
    const changeOf = (dates: number[], gaps?: number[]) => {
      const of = loaded([{ ticker: 'AAAA', date: day(2), close: 100 }, ...unsaid(dates)]);
      const panel = new Panel({ ...of.panel.columns, ...(gaps && { gaps }) });
      return quotesOf({ ...of, panel }, ['POOR']).quotes['POOR']?.change_pct;
    };
    expect(changeOf([2, 3])).toBe(1.9481);
    expect(changeOf([1, 3]), 'across a day without a row').toBeUndefined();
    expect(changeOf([2, 3], [1]), 'across a day that all lack').toBeUndefined();
    expect(changeOf([3]), 'on its first day').toBeUndefined();
  });
});

test('no answer has NaN, or a number of its own, for what no source says', async () => {
  const unsaid = {
    foreign_buy: NaN,
    foreign_sell: NaN,
    nego_value: NaN,
    nego_volume: NaN,
    frequency: 0,
    previous: 0,
  };
  const [ticker, date, close] = ['POOR', day(2), 100];
  const panel = panelOf([1, 2, 3].map((at) => ({ ticker, date: day(at), close, ...(at === 2 && unsaid) })));
  const row = { ticker, date, broker: 'AK', buy_shares: 20, buy_value: 20, sell_shares: 20, sell_value: 20 };
  const market = loadedOf(panel, {}, brokerFlowOf(panel, [row, { ...row, market: 'NEGO' }]));
  const of = { ticker, days: 3, top_n: 5, sort_by: 'value', market: 'NEGO' } as const;
  const answers = {
    snapshot: snapshotOf(market, of, TODAY),
    compare: compareOf(market, { tickers: [ticker], days: 3 }, TODAY),
    overview: marketOverviewOf(market, marketOverview(panel, regimeHistory(panel), 1), TODAY),
    nego: negoOf(market, of),
    scan: negoWindowOf(market, { ...of, min_val: 0 }, TODAY),
    turning: turningPointOf(market, { ticker, lookback: 3, language: 'en' }, TODAY),
    brokers: await brokersOf(market, { ...of, date }, TODAY, rowsInMemory),
    window: brokerWindowOf(market, { ...of, market: 'REG' }, TODAY),
    stocks: await brokerStocksOf(market, { ...of, broker: 'AK' }, TODAY),
  };
  JSON.stringify(answers, (name, value: unknown) => (expect(value, name).not.toBeNaN(), value));
  const { snapshot, compare, overview, nego, scan, turning, brokers, window, stocks } = answers;
  expect(snapshot.ohlcv[1]).toMatchObject({ frequency: undefined, change_pct: 0 });
  expect(snapshot.features).toMatchObject({ foreign_net_value_1d: 0 });
  expect(snapshot.features).not.toHaveProperty('foreign_net_value_5d');
  expect(compare.snapshots[0]!.period).not.toHaveProperty('foreign_net_value');
  expect(overview.foreign_net_value).toBeUndefined();
  expect(nego.items.map(({ nego_value }) => nego_value)).toEqual([0, undefined, 0]);
  expect(nego.summary).toEqual({ total_value: undefined, days_active: undefined, avg_premium: undefined });
  expect(scan.items).toEqual([]);
  expect(turning.turning_point!.factors).toEqual(['Foreign trades are not fully known and not judged']);
  expect(brokers).toMatchObject({ coverage_pct: undefined, is_partial: true });
  expect(window.totals!.foreign_investor_net_value).toBeUndefined();
  expect(stocks.distributed.concat(stocks.accumulated)[0]?.share_of_turnover_pct).toBeUndefined();
});

describe('a snapshot', () => {
  const split = loaded([
    { ticker: 'AAAA', date: day(1), close: 1_000, volume: 10, value: 10_000 },
    { ticker: 'AAAA', date: day(2), close: 990, previous: 1_000, volume: 0 },
    { ticker: 'AAAA', date: day(3), close: 200, previous: 198, factor: 0.2, share_factor: 0.2, volume: 60 },
    { ticker: 'LATE', date: day(4), close: 5 },
  ]);
  /** AAAA up to its last trade, which is the dataset's last day. */
  const live = loaded([{ ticker: 'AAAA', date: day(3), close: 200 }]);
  const snapshot = (days: number, ticker = 'AAAA') => snapshotOf(split, { ticker, days }, TODAY);

  test('adjusts prices and volumes to its last day, leaves values unadjusted, and gives suspended days volume 0', () => {
    const { ohlcv } = snapshot(250, ' aaaa');
    expect(ohlcv.map(({ date, close, volume, value }) => [date, close, volume, value])).toEqual([
      [day(1), 200, 50, 10_000],
      [day(2), 198, 0, 0],
      [day(3), 200, 60, 12_000],
    ]);
    expect(ohlcv.map(({ change_pct }) => change_pct)).toEqual([0, -1, 1.0101]);
  });

  test('limits the number of bars but not the features', () => {
    const { ohlcv, features, days } = snapshot(1);
    expect([ohlcv.length, days]).toEqual([1, 1]);
    expect(features).toEqual(snapshot(250).features);
    expect(features!.high_52w).toBe(200);
  });

  test('is dated by the stock’s own last day and omits unknown fields', () => {
    const { date, name, sector, board, features } = snapshot(20);
    expect({ date, name, sector, board }).toEqual({
      date: day(3),
      name: 'Alpha Tbk.',
      sector: undefined,
      board: 'Utama',
    });
    expect(features).not.toHaveProperty('ma200');
    expect(snapshot(20, 'LATE')).toMatchObject({ date: day(4), name: undefined, board: undefined });
  });

  test('gives the stock’s last traded date and whether that is the dataset’s last day', () => {
    expect(snapshot(1)).toMatchObject({ last_traded_date: day(3), traded_today: false });
    expect(snapshot(1, 'LATE')).toMatchObject({ last_traded_date: day(4), traded_today: true });
    expect(snapshotOf(live, { ticker: 'AAAA', days: 1 }, TODAY).traded_today).toBe(true);
  });

  test('omits what describes traded days of a suspended stock, and keeps the range of its year and its sums of money', () => {
    const rising = Array.from({ length: 70 }, (_, i) => ({
      ticker: 'HALT',
      date: isoFromEpochDay(epochDayFromIso(day(1)) + i),
      close: 100 + 5 * i,
    }));
    const later = isoFromEpochDay(epochDayFromIso(day(1)) + 90);
    const suspended = { ticker: 'HALT', date: later, close: rising.at(-1)!.close, volume: 0 };
    const features = (bars: BarFixture[]) =>
      snapshotOf(loaded(bars), { ticker: 'HALT', days: 1 }, TODAY).features!;
    const [before, after] = [features(rising), features([...rising, suspended])];
    const ofTradedDays = [
      'ma5',
      'ma50',
      'bb_upper',
      'bb_width_pct',
      'atr14',
      'atr14_pct',
      'ret_1d_pct',
      'ret_5d_pct',
      'ret_20d_pct',
      'rsi14',
      'stoch_k',
      'stoch_d',
      'macd',
      'macd_signal',
      'macd_hist',
      'volume_ratio_5',
      'volume_ratio_20',
      'volatility20_pct',
      'dist_ma20_pct',
      'dist_ma50_pct',
      'confluence_signals',
    ] as const;
    for (const name of ofTradedDays) {
      expect(before[name], name).toBeTypeOf('number');
      expect(after[name], name).toBeUndefined();
    }
    for (const name of ['high_52w', 'low_52w', 'dist_52w_high_pct'] as const)
      expect(after[name], name).toBe(before[name]);
    expect(after.foreign_net_value_1d).toBe(0);
  });

  test('omits the moves of a delisted stock, whose last day precedes the dataset’s last day', () => {
    const bars = [1, 2].map((date) => ({ ticker: 'GONE', date: day(date), close: 100 * date }));
    const features = (more: BarFixture[]) =>
      snapshotOf(loaded([...bars, ...more]), { ticker: 'GONE', days: 1 }, TODAY).features!;
    expect(features([]).ret_1d_pct).toBe(100);
    expect(features([{ ticker: 'LIVE', date: day(3), close: 5 }]).ret_1d_pct).toBeUndefined();
  });

  test('includes broker features as of the stock’s own last day', () => {
    const rows = [
      { ticker: 'AAAA', date: day(3), broker: 'CC', buy_value: 900 },
      { ticker: 'AAAA', date: day(3), broker: 'XL', sell_value: 900 },
    ];
    const flow = brokerFlowOf(split.panel, rows, [{ code: 'XL', is_retail: true }]);
    const withRows = loadedOf(split.panel, { broker_data: 'synthetic' }, flow);
    const { features, broker_data } = snapshotOf(withRows, { ticker: 'AAAA', days: 1 }, TODAY);
    expect(broker_data).toBe('synthetic');
    expect(features).toMatchObject({
      bandar_net_value_1d: 900,
      retail_net_value_1d: -900,
      top5_buyer_share_pct: 100,
      accum_score: 0,
    });
    expect(features).not.toHaveProperty('bandar_net_value_5d');
    expect(snapshot(1).features).not.toHaveProperty('bandar_net_value_1d');
  });

  test('computes features from its own dataset, regardless of which dataset was queried before', () => {
    const barsAt = (close: number) => [{ ticker: 'AAAA', date: day(1), close }];
    const [before, after] = [loaded(barsAt(100)), loaded(barsAt(200))];
    const highs = [before, after, before].map(
      (market) => snapshotOf(market, { ticker: 'AAAA', days: 1 }, TODAY).features?.high_52w,
    );
    expect(highs).toEqual([100, 200, 100]);
  });
});

describe('the partial flag of the last day', () => {
  test('is true for today in real data, and false for synthetic data', () => {
    const bars = [{ ticker: 'AAAA', date: day(20), close: 100 }];
    expect(isLastDayPartial(loaded(bars), day(20))).toBe(true);
    expect(isLastDayPartial(loaded(bars, 'synthetic'), day(20))).toBe(false);
  });
});

describe('after a partial day of one stock', () => {
  const market = loaded([
    ...[1, 2].map((n) => ({ ticker: 'AAAA', date: day(n), close: 100, previous: 100 })),
    { ticker: 'AAAA', date: day(3), close: 102, previous: 100 },
    ...[1, 2].map((n) => ({ ticker: 'BBBB', date: day(n), close: 100, previous: 100 })),
    { ticker: 'NEWW', date: day(3), close: 50, previous: 50 },
  ]);
  const partial = loadedOf(new Panel({ ...market.panel.columns, wholeDays: 2 }));

  test('quotes and snapshots show the day of the stocks that have it, and the last whole day of others', () => {
    const { quotes } = quotesOf(partial, ['AAAA', 'BBBB']);
    expect(quotes).toMatchObject({
      AAAA: { close: 102, change_pct: 2, date: day(3) },
      BBBB: { close: 100, date: day(2) },
    });
    const seen = (ticker: string) => snapshotOf(partial, { ticker, days: 1 }, TODAY);
    expect(seen('AAAA')).toMatchObject({ date: day(3), is_partial: true, traded_today: true });
    expect(seen('BBBB')).toMatchObject({ date: day(2), is_partial: false, traded_today: true });
  });

  test('the market, listing states and comparisons are as of the last whole day', () => {
    expect(newestOverview(partial.panel)).toMatchObject({ day: 1, totalStocks: 2 });
    expect(
      stocksOf(partial, { as_of: day(3), limit: 9 }, new CursorSigner(['secret-of-a-test'])),
    ).toMatchObject({
      as_of: day(2),
      stocks: [
        { ticker: 'AAAA', last_date: day(2), status: 'listed' },
        { ticker: 'BBBB', last_date: day(2), status: 'listed' },
      ],
    });
    const compared = compareOf(partial, { tickers: ['AAAA', 'BBBB', 'NEWW'], days: 1 }, TODAY);
    expect(compared.snapshots.map(({ date, is_partial }) => [date, is_partial])).toEqual([
      [day(2), false],
      [day(2), false],
      [day(3), true],
    ]);
    expect(compared.date).toBe(day(2));
  });
});

test('a stock that stopped trading before a partial last day is not marked partial', () => {
  const bars = [
    { ticker: 'AAAA', date: day(1), close: 100 },
    { ticker: 'AAAA', date: day(2), close: 100 },
    { ticker: 'GONE', date: day(1), close: 100 },
  ];
  const partial = (ticker: string) => snapshotOf(loaded(bars), { ticker, days: 1 }, day(2)).is_partial;
  expect([partial('AAAA'), partial('GONE')]).toEqual([true, false]);
});

test('figures whose windows reach across missing days are absent, and flows over them are refused', () => {
  const bars = Array.from({ length: 90 }, (_, i) => ({
    ...{ ticker: 'AAAA', date: isoFromEpochDay(epochDayFromIso('2024-01-01') + i), close: 1_000 + 9 * i },
    ...{ value: 9e9, nego_value: 100, nego_volume: 1 },
  }));
  const { columns } = panelOf(bars);
  const [whole, gapped] = [columns, { ...columns, gaps: [87] }].map((of) => loadedOf(new Panel(of)));
  const stock = { ticker: 'AAAA', days: 20, lookback: 10 };
  const served = (of: LoadedDataset) => {
    const { features, returns } = snapshotOf(of, stock, TODAY);
    const { period } = compareOf(of, { tickers: ['AAAA'], days: 5 }, TODAY).snapshots[0]!;
    const { breadth, averages, regime } = marketOverviewOf(of, newestOverview(of.panel), TODAY);
    const { factors, ret_10d_pct } = turningPointOf(of, stock, TODAY).turning_point!;
    return {
      across: [features!.ma5, features!.high_52w, returns[1]!.price_return_pct, period!.high, ret_10d_pct]
        .concat(breadth!.above_ma20_pct, averages!.rsi, negoOf(of, stock).summary!.avg_premium)
        .concat(negoWindowOf(of, { ...stock, min_val: 0, top_n: 1 }, TODAY).items[0]!.nego_premium)
        .concat(Number(factors.find((of) => !of.startsWith('Transaksi asing'))?.length)),
      ofDay: [features!.ret_1d_pct, returns[0]!.price_return_pct, averages!.daily_return_pct, regime],
    };
  };
  const known = served(whole!);
  expect(known.across.every(Number.isFinite)).toBe(true);
  const absent = [...Array<undefined>(9), NaN];
  expect(served(gapped!)).toEqual({ across: absent, ofDay: known.ofDay });
  const flows = (days: number) => flowsOf(gapped!, { flow_type: 'foreign', days } as never, TODAY).days;
  expect(() => flows(4)).toThrow(/before 2024-03-28 are missing.* days=3 or fewer/);
  expect(flows(3)).toBe(3);
});
