import { describe, expect, test } from 'vitest';
import { brokerFlowOf } from '#quant/broker-rows/flow-fixture.ts';
import { epochDayFromIso, isoFromEpochDay } from '#quant/panel/iso-day.ts';
import { panelOf, type BarFixture } from '#quant/panel/panel-fixture.ts';
import { loadedOf } from '../in-memory/loaded-fixture.ts';
import { isLastDayPartial } from './partial-day.ts';
import { quotesOf } from './quotes.ts';
import { snapshotOf } from './snapshot.ts';
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

  test('report a change of 0 when there is no reference price', () => {
    expect(quotesOf(market, ['NEWW']).quotes['NEWW']!.change_pct).toBe(0);
  });
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

  test('answers not_found for an unknown ticker', () => {
    expect(() => snapshot(20, 'ZZZZ')).toThrow(expect.objectContaining({ code: 'not_found' }));
    expect(() => snapshot(20, 'ZZZZ')).not.toThrow('.JK');
  });

  test('says that a ticker is written without the suffix .JK', () => {
    expect(() => snapshot(20, 'aaaa.jk')).toThrow(
      'There is no data for the ticker AAAA.JK. Tickers are written without “.JK”, such as AAAA for AAAA.JK.',
    );
  });
});

describe('the partial flag of the last day', () => {
  /** Ten tickers over `days` days. On the last day, only `lastTraded` of them trade. */
  const market = (days: number, lastTraded: number, kind?: string) =>
    loaded(
      Array.from({ length: 10 }, (_, ticker) =>
        Array.from({ length: days }, (_, i) => ({
          ticker: `T${ticker}`,
          date: day(i + 1),
          close: 100,
          volume: i === days - 1 && ticker >= lastTraded ? 0 : 1_000,
        })),
      ).flat(),
      kind,
    );

  test.each([
    [10, false],
    [8, false],
    [7, true],
    [0, true],
  ])('with %i of the usual ten tickers traded is %s', (traded, isPartial) => {
    expect(isLastDayPartial(market(20, traded), TODAY)).toBe(isPartial);
  });

  test('is true for today in real data even when all tickers traded, and false for synthetic data', () => {
    expect(isLastDayPartial(market(20, 10), day(20))).toBe(true);
    expect(isLastDayPartial(market(20, 10, 'synthetic'), day(20))).toBe(false);
  });

  test('is false when the history is too short to tell what is usual', () => {
    expect(isLastDayPartial(market(5, 0), TODAY)).toBe(false);
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
