import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { BrokerFlow } from '#quant/broker-flow/broker-flow.ts';
import { brokerFlowOf, type FlowRowFixture } from '#quant/broker-flow/flow-fixture.ts';
import { panelOf, type BarFixture } from '#quant/panel/panel-fixture.ts';
import type { Panel } from '#quant/panel/panel.ts';
import { RunFailure } from '../run-failure.ts';
import { confluenceFilter } from './confluence-filter.ts';
import type { ConfluenceParams } from './confluence-params.ts';
import { syntheticBars } from './market-fixtures.ts';

const MARKET = { seed: 7, tickers: 120, days: 320 };
const DATASET = { version: 'synthetic-20260930-1', kind: 'synthetic', broker_data: 'none' };
const DEFAULTS: ConfluenceParams = {
  analysis_date: '2026-09-30',
  lookback: 5,
  min_signals: 2,
  min_price: 100,
  min_daily_val: 1_000_000_000,
  vol_ratio_min: 1.5,
  seller_filter: true,
  seller_lookback: 5,
  seller_dominance: 1.5,
  max_picks: 20,
};

interface Result {
  df_result: Record<string, string | number>[];
  diag: Record<'total_scanned' | 'total_hits' | 'after_seller_filter' | 'final', number> & {
    seller_rule: string;
  };
  as_of: string;
  empty?: { reason: string; message: string; suggestions: Record<string, string>[] };
}

const bars = syntheticBars(MARKET);
let panel: Panel;
beforeAll(() => {
  panel = panelOf(bars);
});

function screen(change: Partial<ConfluenceParams> = {}, market = panel, flow?: BrokerFlow): Result {
  return run(change, market, flow).result as unknown as Result;
}

function run(change: Partial<ConfluenceParams>, market = panel, brokerFlow = brokerFlowOf(market, [])) {
  return confluenceFilter.run({
    panel: market,
    brokerFlow,
    dataset: brokerFlow.rowCount > 0 ? { ...DATASET, broker_data: 'synthetic' } : DATASET,
    params: { ...DEFAULTS, ...change },
    view: 'full',
  });
}

const BROKERS = ['AK', 'B1', 'B2', 'B3', 'B4', 'CC', 'XL'];

/** Rows in which every broker takes a side of up to 6 % of the value, another on every stock-day. */
function brokerRowsOf(traded: BarFixture[]): FlowRowFixture[] {
  return traded.flatMap(({ ticker, date, value = 0 }, i) =>
    BROKERS.map((broker, b) => {
      const net = Math.round(((((i * 7_919 + b * 104_729) % 2_001) - 1_000) / 1_000) * 0.06 * value);
      return { ticker, date, broker, buy_value: Math.max(0, net), sell_value: Math.max(0, -net) };
    }),
  );
}

function flowOf(market: Panel, rows: FlowRowFixture[]): BrokerFlow {
  const table = [
    { code: 'AK', is_foreign: true },
    { code: 'XL', is_retail: true },
  ];
  return brokerFlowOf(market, rows, table);
}

const anyParams: fc.Arbitrary<Partial<ConfluenceParams>> = fc.record({
  analysis_date: fc.constantFrom('2026-03-31', '2026-06-15', '2026-08-31', '2026-09-30'),
  lookback: fc.integer({ min: 1, max: 10 }),
  min_signals: fc.integer({ min: 1, max: 4 }),
  min_price: fc.constantFrom(50, 100, 1000, 10_000),
  min_daily_val: fc.constantFrom(1e8, 1e9, 1e10, 1e11),
  vol_ratio_min: fc.double({ min: 1, max: 5, noNaN: true }),
  seller_filter: fc.boolean(),
  seller_lookback: fc.integer({ min: 1, max: 20 }),
  seller_dominance: fc.double({ min: 1, max: 5, noNaN: true }),
  max_picks: fc.integer({ min: 1, max: 50 }),
});
const FEW = { numRuns: 25 };

describe('whatever the parameters', () => {
  test('each step of the diagnosis keeps at most what the step before left', () => {
    fc.assert(
      fc.property(anyParams, (params) => {
        const { df_result, diag } = screen(params);
        expect(diag.total_scanned).toBeGreaterThanOrEqual(diag.total_hits);
        expect(diag.total_hits).toBeGreaterThanOrEqual(diag.after_seller_filter);
        expect(diag.final).toBe(Math.min(diag.after_seller_filter, params.max_picks!));
        expect(df_result).toHaveLength(diag.final);
      }),
      FEW,
    );
  });

  test('every field of every row has its kind and format', () => {
    fc.assert(
      fc.property(anyParams, (params) => {
        for (const row of screen(params).df_result) {
          expect(row).toEqual({
            Ticker: expect.stringMatching(/^[A-Z]{4}$/) as string,
            Signals: expect.any(Number) as number,
            'Signal Detail': expect.stringMatching(/\S/) as string,
            'Stoch %K': expect.any(Number) as number,
            'MACD Hist': expect.stringMatching(/^[+-]\d+\.\d\d%$/) as string,
            'MA Spread': expect.stringMatching(/^[+-]\d+\.\d\d%$/) as string,
            'Vol Ratio': expect.stringMatching(/^\d+\.\dx$/) as string,
            'Last Close': expect.stringMatching(/^\d{1,3}(,\d{3})*$/) as string,
            'Daily Val': expect.stringMatching(/^\d+\.\d[MBT]$/) as string,
            RSI: expect.any(Number) as number,
            'BB Width': expect.any(Number) as number,
          });
          expect(row['Signals']).toBeGreaterThanOrEqual(params.min_signals!);
          expect(String(row['Signal Detail']).split('; ')).toHaveLength(row['Signals'] as number);
        }
      }),
      FEW,
    );
  });

  test('the same run gives the same bytes', () => {
    const fresh = panelOf(bars);
    fc.assert(
      fc.property(anyParams, (params) => {
        expect(JSON.stringify(run(params, fresh))).toBe(JSON.stringify(run(params)));
      }),
      FEW,
    );
  });

  test('an empty result says why, and every suggestion lets through as many stocks as it says', () => {
    const applied: Record<string, (suggested: string) => Partial<ConfluenceParams>> = {
      'Sinyal minimum': (suggested) => ({ min_signals: Number(suggested) }),
      'Rentang hari sinyal': (suggested) => ({ lookback: Number.parseInt(suggested) }),
      'Kelipatan volume minimum': (suggested) => ({
        vol_ratio_min: Number.parseFloat(suggested.replace(',', '.')),
      }),
      'Saringan penjual': () => ({ seller_filter: false }),
    };
    let tried = 0;
    fc.assert(
      fc.property(anyParams, (anything) => {
        const params = { ...anything, min_signals: 4, min_daily_val: 1e9, vol_ratio_min: 3 };
        const { empty, diag } = screen(params);
        expect(empty !== undefined).toBe(diag.final === 0);
        if (!empty) return;
        expect(empty.reason).toBe('no_results');
        expect(empty.message).toMatch(/^Tidak ada saham yang memenuhi semua kriteria pada \d+ [A-Z]/);
        if (!empty.message.includes('salah satu saringan')) return;
        for (const { label, suggested, why } of empty.suggestions) {
          const change = applied[label!]?.(suggested!);
          if (!change) continue;
          expect(`${screen({ ...params, ...change }).diag.after_seller_filter} saham akan lolos.`).toBe(why);
          tried++;
        }
      }),
      FEW,
    );
    expect(tried).toBeGreaterThan(5);
  });

  test('no single filter being enough, the suggestions go together', () => {
    const strict = { min_signals: 4, lookback: 1, min_daily_val: 1e11, min_price: 10_000, vol_ratio_min: 5 };
    const { empty } = screen(strict);
    expect(empty!.message).toMatch(/semua saringan di bawah ini sekaligus/);
    expect(empty!.suggestions.length).toBeGreaterThan(3);
    for (const { why } of empty!.suggestions) expect(why).toMatch(/^Bersama saran lainnya, [1-9]\d* saham/);
  });
});

describe('nothing after the analysed day changes a byte', () => {
  test.each(['2026-04-30', '2026-07-15', '2026-09-01'])('rows after %s deleted or poisoned', (asOf) => {
    const known = bars.filter((bar) => bar.date <= asOf);
    const poisoned = bars.map((bar, i) =>
      bar.date <= asOf
        ? bar
        : {
            ...bar,
            ...{ previous: 1 + (i % 7), high: 90_000, low: 1, close: 1 + (i % 9_000), open: 5 },
            ...{
              volume: (i % 3) * 1e9,
              value: 1e15,
              foreign_buy: 1e9,
              foreign_sell: (i % 5) * 1e9,
              factor: 3,
            },
          },
    );
    for (const change of [{}, { min_signals: 4, min_daily_val: 1e11 }, { min_signals: 1, max_picks: 50 }]) {
      const seen = JSON.stringify(run({ ...change, analysis_date: asOf }));
      expect(JSON.stringify(run({ ...change, analysis_date: asOf }, panelOf(known)))).toBe(seen);
      expect(JSON.stringify(run({ ...change, analysis_date: asOf }, panelOf(poisoned)))).toBe(seen);
    }
  });

  test('broker rows after it deleted or poisoned', () => {
    const asOf = '2026-09-01';
    const rows = brokerRowsOf(bars.filter(({ date, volume }) => date > '2026-07-15' && volume! > 0));
    const known = rows.filter(({ date }) => date <= asOf);
    const poisoned = rows.map((row) => (row.date <= asOf ? row : { ...row, buy_value: 0, sell_value: 1e15 }));
    for (const seller_lookback of [1, 5, 20]) {
      const [seen, ...others] = [rows, known, poisoned].map((of) =>
        screen({ min_signals: 1, seller_lookback, analysis_date: asOf }, panel, flowOf(panel, of)),
      );
      expect(seen!.diag.seller_rule).toBe('brokers');
      for (const other of others) expect(JSON.stringify(other)).toBe(JSON.stringify(seen));
    }
  });
});

describe('sellers are judged', () => {
  const wide = { min_signals: 1, lookback: 10, max_picks: 50 };
  const recent = bars.filter(({ date, volume }) => date > '2026-08-15' && volume! > 0);

  test('by broker rows where there are some, and the result says so and whose rows they are', () => {
    const flow = flowOf(panel, brokerRowsOf(recent));
    const withRows = run(wide, panel, flow).result;
    expect(withRows).toMatchObject({
      diag: { seller_rule: 'brokers', broker_data: 'synthetic' },
      dataset: { broker_data: 'synthetic' },
    });
    expect((withRows as unknown as Result).diag.after_seller_filter).not.toBe(
      screen(wide).diag.after_seller_filter,
    );
    const left = [1, 2, 5].map(
      (seller_dominance) => screen({ ...wide, seller_dominance }, panel, flow).diag.after_seller_filter,
    );
    expect(left).toEqual(left.toSorted((a, b) => a - b));
    expect(left[2]).toBeGreaterThan(left[0]!);
  });

  test('by foreign trades where a day of their window has no rows, and by both where that differs', () => {
    expect(screen(wide).diag.seller_rule).toBe('foreign');
    const last = recent.filter(({ date }) => date === '2026-09-30');
    expect(screen(wide, panel, flowOf(panel, brokerRowsOf(last))).diag.seller_rule).toBe('foreign');
    const [picked] = run(wide).summary.tickers;
    const some = recent.filter(({ ticker }) => ticker === picked);
    expect(screen(wide, panel, flowOf(panel, brokerRowsOf(some))).diag.seller_rule).toBe('mixed');
  });

  test('not at all without the filter or without a hit', () => {
    expect(screen({ ...wide, seller_filter: false }).diag.seller_rule).toBe('none');
    expect(screen({ min_price: 10_000, min_daily_val: 1e11, min_signals: 4 }).diag).toMatchObject({
      ...{ total_hits: 0, seller_rule: 'none' },
    });
  });

  test('by the broker rows of just the days that the screen asks for', () => {
    const span = (change: Partial<ConfluenceParams>) =>
      confluenceFilter.brokerSpan(panel, { ...DEFAULTS, ...change });
    const day = panel.dayOnOrBefore('2026-09-12');
    expect(span({ analysis_date: '2026-09-12', seller_lookback: 7 })).toEqual({
      firstDay: day - 6,
      lastDay: day,
    });
    expect(span({ seller_filter: false })).toBeUndefined();
    const rows = brokerRowsOf(recent);
    const { firstDay, lastDay } = span({})!;
    const narrow = rows.filter(({ date }) => panel.columns.dates.indexOf(date) >= firstDay);
    const spanned = brokerFlowOf(panel, narrow, [{ code: 'XL', is_retail: true }], { firstDay, lastDay });
    const whole = brokerFlowOf(panel, rows, [{ code: 'XL', is_retail: true }]);
    expect(JSON.stringify(screen(wide, panel, spanned))).toBe(JSON.stringify(screen(wide, panel, whole)));
  });
});

describe('every parameter has its effect', () => {
  const counts = (change: Partial<ConfluenceParams>) => screen({ max_picks: 50, ...change }).diag;

  test('a longer lookback finds more, more signals find less', () => {
    const byLookback = [1, 3, 5, 10].map((lookback) => counts({ lookback }).total_hits);
    expect(byLookback).toEqual(byLookback.toSorted((a, b) => a - b));
    expect(byLookback.at(-1)).toBeGreaterThan(byLookback[0]!);
    const bySignals = [1, 2, 3, 4].map((min_signals) => counts({ min_signals }).total_hits);
    expect(bySignals).toEqual(bySignals.toSorted((a, b) => b - a));
    expect(bySignals[0]).toBeGreaterThan(bySignals[3]!);
  });

  test('the floors of price and value narrow what is scanned', () => {
    expect(counts({ min_price: 1000 }).total_scanned).toBeLessThan(counts({}).total_scanned);
    expect(counts({ min_daily_val: 1e10 }).total_scanned).toBeLessThan(counts({}).total_scanned);
  });

  test('a higher volume threshold finds fewer single signals', () => {
    const hits = (vol_ratio_min: number) => counts({ min_signals: 1, vol_ratio_min }).total_hits;
    expect(hits(4)).toBeLessThan(hits(1));
  });

  test('the seller filter drops stocks, fewer with a higher dominance, others with another window', () => {
    const wide = { min_signals: 1, lookback: 10 };
    const left = (change: Partial<ConfluenceParams>) => counts({ ...wide, ...change }).after_seller_filter;
    expect(left({ seller_filter: false })).toBe(counts(wide).total_hits);
    expect(left({ seller_dominance: 1 })).toBeLessThan(left({ seller_filter: false }));
    expect(left({ seller_dominance: 5 })).toBeGreaterThan(left({ seller_dominance: 1 }));
    expect(left({ seller_lookback: 1 })).not.toBe(left({ seller_lookback: 20 }));
  });

  test('max_picks cuts the list after the best', () => {
    const all = screen({ min_signals: 1, max_picks: 50 }).df_result;
    expect(screen({ min_signals: 1, max_picks: 3 }).df_result).toEqual(all.slice(0, 3));
    const signals = all.map((row) => row['Signals'] as number);
    expect(signals).toEqual(signals.toSorted((a, b) => b - a));
  });
});

describe('the day that is analysed', () => {
  test('is the last trading day on or before the date, and is told in the result and the summary', () => {
    const saturday = run({ analysis_date: '2026-09-12' });
    expect(saturday.summary.target_date).toBe('2026-09-11');
    expect(saturday.result).toMatchObject({ as_of: '2026-09-11', target_date: '2026-09-11' });
    expect(screen({ analysis_date: '2099-01-01' }).as_of).toBe('2026-09-30');
  });

  test('must have 120 trading days of data', () => {
    const first = panel.columns.dates[119]!;
    const before = panel.columns.dates[118]!;
    expect(screen({ analysis_date: first }).as_of).toBe(first);
    for (const analysis_date of [before, '1999-01-01']) {
      expect(() => screen({ analysis_date })).toThrow(RunFailure);
      expect(() => screen({ analysis_date })).toThrow(/terlalu awal/);
    }
  });

  test('exists at all only in a dataset that is long enough', () => {
    expect(() => screen({}, panelOf(bars.slice(0, 50)))).toThrow(/Data yang tersedia baru 50 hari bursa/);
  });
});

test('the result says which dataset it saw and whether that is made up', () => {
  expect(run({}).result).toMatchObject({
    diag: { dataset_version: DATASET.version, broker_data: 'none' },
    dataset: { version: DATASET.version, kind: 'synthetic', synthetic: true, broker_data: 'none' },
  });
});
