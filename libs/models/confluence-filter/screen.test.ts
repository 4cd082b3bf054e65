import { asRead, type ReadOf } from '../fixtures/read-result-fixture.ts';
import { brokerFlowOf, type FlowRowFixture } from '#quant/broker-rows/flow-fixture.ts';
import type { BrokerFlow } from '#quant/broker-rows/broker-flow.ts';
import { defaultsOf } from '../inputs/parameters.ts';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { panelOf, type BarFixture } from '#quant/panel/panel-fixture.ts';
import { Panel } from '#quant/panel/panel.ts';
import type { Localised } from '#foundation/text/localised.ts';
import { syntheticBars } from '#quant/panel/generated-bars-fixture.ts';
import { screenInput } from '../fixtures/screen-input-fixture.ts';
import { params as declared, type ConfluenceParams } from './params.ts';
import type { results } from './result.ts';
import { screen as model } from './screen.ts';
import { BROKER_TABLE } from '#quant/broker-features/random-flow-fixture.ts';

const MARKET = { seed: 9, tickers: 120, days: 320 };
const DEFAULTS = defaultsOf(declared);

type Change = Partial<ConfluenceParams>;

type Result = ReadOf<typeof results.full>;

const bars = syntheticBars(MARKET);
let panel: Panel;
beforeAll(() => {
  panel = panelOf(bars);
});

async function screen(change: Change = {}, market = panel, flow?: BrokerFlow): Promise<Result> {
  return asRead((await run(change, market, flow)).result);
}

function run(change: Change, market = panel, brokerFlow?: BrokerFlow) {
  const params = { ...DEFAULTS, ...change };
  return model.run(screenInput({ panel: market, params, ...(brokerFlow && { brokerFlow }) }));
}

/** Runs the work one item after the other, as a worker does. */
async function inTurn<T, U>(items: T[], work: (item: T) => Promise<U>): Promise<U[]> {
  const done: U[] = [];
  for (const item of items) done.push(await work(item));
  return done;
}

const BROKERS = ['AK', 'B1', 'B2', 'B3', 'B4', 'CC', 'XL'];

/** Rows in which the net trade of each broker is up to 6 % of the value and differs on every stock-day. */
function brokerRowsOf(traded: BarFixture[]): FlowRowFixture[] {
  return traded.flatMap(({ ticker, date, value = 0 }, i) =>
    BROKERS.map((broker, b) => {
      const net = Math.round(((((i * 7_919 + b * 104_729) % 2_001) - 1_000) / 1_000) * 0.06 * value);
      return { ticker, date, broker, buy_value: Math.max(0, net), sell_value: Math.max(0, -net) };
    }),
  );
}

const flowOf = (market: Panel, rows: FlowRowFixture[]): BrokerFlow =>
  brokerFlowOf(market, rows, BROKER_TABLE);

const anyParams: fc.Arbitrary<Change> = fc.record({
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

describe('for any parameters', () => {
  test('every row has enough signals, which are named one by one', async () => {
    await fc.assert(
      fc.asyncProperty(anyParams, async (params) => {
        for (const row of (await screen(params)).df_result) {
          expect(row['Signals']).toBeGreaterThanOrEqual(params.min_signals!);
          expect(String(row['Signal Detail']).split('; ')).toHaveLength(row['Signals']);
        }
      }),
      FEW,
    );
  });

  test('the order is explained by what is shown: signals, then the volume on the day of the signal', async () => {
    await fc.assert(
      fc.asyncProperty(anyParams, async (params) => {
        const rows = (await screen(params)).df_result;
        expect(rows.map((row) => row['Rank'])).toEqual(rows.map((_, i) => i + 1));
        for (const [before, row] of rows.slice(1).map((row, i) => [rows[i]!, row] as const)) {
          const ratio = ({ 'Signal Vol Ratio': shown }: typeof row) => Number.parseFloat(String(shown));
          const ahead = before['Signals'] - row['Signals'];
          expect(ahead || ratio(before) - ratio(row)).toBeGreaterThanOrEqual(0);
        }
      }),
      FEW,
    );
  });

  test('`Vol Ratio` is of the analysed day, whichever day had the signal', async () => {
    await fc.assert(
      fc.asyncProperty(anyParams, async (params) => {
        for (const { Ticker, 'Vol Ratio': shown } of (await screen(params)).df_result) {
          const volumes = bars
            .filter(({ ticker, date }) => ticker === Ticker && date <= params.analysis_date!)
            .map(({ volume }) => volume!)
            .filter((volume) => volume > 0)
            .slice(-20);
          const average = volumes.reduce((sum, volume) => sum + volume, 0) / 20;
          expect(Math.abs(Number.parseFloat(String(shown)) - volumes.at(-1)! / average)).toBeLessThan(0.0501);
        }
      }),
      FEW,
    );
  });

  test('the signal of volume names the day of its ratio when that is not the analysed day', async () => {
    const seen = new Set<boolean>();
    const { df_result, as_of } = await screen({ min_signals: 1, lookback: 5 });
    for (const row of df_result) {
      const said = /Volume ([\d,]+)x rata-rata 20 hari(?: \((\d+) hari perdagangan sebelumnya\))?/.exec(
        String(row['Signal Detail']),
      );
      if (!said) continue;
      const ago = Number(said[2] ?? 0);
      const volumes = bars
        .filter(({ ticker, date, volume }) => ticker === row['Ticker'] && date <= as_of && volume! > 0)
        .map(({ volume }) => volume!);
      const upTo = volumes.slice(0, volumes.length - ago).slice(-20);
      const ratio = upTo.at(-1)! / (upTo.reduce((sum, volume) => sum + volume, 0) / 20);
      expect(Math.abs(Number(said[1]!.replace(',', '.')) - ratio)).toBeLessThan(0.0501);
      seen.add(ago === 0);
    }
    expect([...seen].toSorted()).toEqual([false, true]);
  });
});

describe('the seller filter', () => {
  const wide = { min_signals: 1, lookback: 10, max_picks: 50 };
  const recent = bars.filter(({ date, volume }) => date > '2026-08-15' && volume! > 0);

  test('uses broker rows when they exist, and the result names the rule and their source', async () => {
    const flow = flowOf(panel, brokerRowsOf(recent));
    const withRows = (await run(wide, panel, flow)).result;
    expect(withRows).toMatchObject({
      diag: { seller_rule: 'brokers', broker_data: 'synthetic' },
      dataset: { broker_data: 'synthetic' },
    });
    expect((withRows as unknown as Result).diag.after_seller_filter).not.toBe(
      (await screen(wide)).diag.after_seller_filter,
    );
    const left = await inTurn(
      [1, 2, 5],
      async (seller_dominance) =>
        (await screen({ ...wide, seller_dominance }, panel, flow)).diag.after_seller_filter,
    );
    expect(left).toEqual(left.toSorted((a, b) => a - b));
    expect(left[2]).toBeGreaterThan(left[0]!);
  });

  test('uses foreign trades when a day of the window has no rows, and reports mixed rules', async () => {
    expect((await screen(wide)).diag.seller_rule).toBe('foreign');
    const last = recent.filter(({ date }) => date === '2026-09-30');
    expect((await screen(wide, panel, flowOf(panel, brokerRowsOf(last)))).diag.seller_rule).toBe('foreign');
    const [picked] = (await run(wide)).summary.tickers;
    const some = recent.filter(({ ticker }) => ticker === picked);
    expect((await screen(wide, panel, flowOf(panel, brokerRowsOf(some)))).diag.seller_rule).toBe('mixed');
  });

  test('judges nothing when it is off or there are no hits', async () => {
    expect((await screen({ ...wide, seller_filter: false })).diag.seller_rule).toBe('none');
    expect((await screen({ min_price: 10_000, min_daily_val: 1e11, min_signals: 4 })).diag).toMatchObject({
      total_hits: 0,
      seller_rule: 'none',
    });
  });

  test('requests the broker rows of exactly the days it needs', async () => {
    const span = (change: Change, analysisDate = '2026-09-30') =>
      model.brokerSpan!(panel, { ...DEFAULTS, ...change }, analysisDate);
    const day = panel.dayOnOrBefore('2026-09-12');
    expect(span({ seller_lookback: 7 }, '2026-09-12')).toEqual({
      firstDay: day - 6,
      lastDay: day,
    });
    expect(span({ seller_filter: false })).toBeUndefined();
    const rows = brokerRowsOf(recent);
    const { firstDay, lastDay } = span({})!;
    const narrow = rows.filter(({ date }) => panel.columns.dates.indexOf(date) >= firstDay);
    const spanned = brokerFlowOf(panel, narrow, [{ code: 'XL', is_retail: true }], { firstDay, lastDay });
    const whole = brokerFlowOf(panel, rows, [{ code: 'XL', is_retail: true }]);
    expect(JSON.stringify(await screen(wide, panel, spanned))).toBe(
      JSON.stringify(await screen(wide, panel, whole)),
    );
  });
});

describe('every parameter has an effect', () => {
  const hitsOf = (name: 'lookback' | 'min_signals') => async (value: number) =>
    (await counts({ [name]: value })).total_hits;
  const counts = async (change: Change) => (await screen({ max_picks: 50, ...change })).diag;

  test('a longer lookback finds more stocks, a higher min_signals fewer', async () => {
    const byLookback = await inTurn([1, 3, 5, 10], hitsOf('lookback'));
    expect(byLookback).toEqual(byLookback.toSorted((a, b) => a - b));
    expect(byLookback.at(-1)).toBeGreaterThan(byLookback[0]!);
    const bySignals = await inTurn([1, 2, 3, 4], hitsOf('min_signals'));
    expect(bySignals).toEqual(bySignals.toSorted((a, b) => b - a));
    expect(bySignals[0]).toBeGreaterThan(bySignals[3]!);
  });

  test('a higher volume threshold finds fewer stocks with a single signal', async () => {
    const hits = async (vol_ratio_min: number) =>
      (await counts({ min_signals: 1, vol_ratio_min })).total_hits;
    expect(await hits(4)).toBeLessThan(await hits(1));
  });

  test('the seller filter drops stocks, fewer at a higher dominance and others over another window', async () => {
    const wide = { min_signals: 1, lookback: 10 };
    const left = async (change: Change) => (await counts({ ...wide, ...change })).after_seller_filter;
    expect(await left({ seller_filter: false })).toBe((await counts(wide)).total_hits);
    expect(await left({ seller_dominance: 1 })).toBeLessThan(await left({ seller_filter: false }));
    expect(await left({ seller_dominance: 5 })).toBeGreaterThan(await left({ seller_dominance: 1 }));
    expect(await left({ seller_lookback: 1 })).not.toBe(await left({ seller_lookback: 20 }));
  });
});

test('a run records its picks with the default entry, stop and target, and no probability', async () => {
  const { summary, record } = await run({ min_signals: 1, min_price: 120 });
  expect(record!.picks.map(({ ticker }) => ticker)).toEqual(summary.tickers);
  expect(record).toMatchObject({
    barriers: { target_gain: 0.1, stop_loss: 0.05 },
    horizon_days: 20,
    floors: { min_price: 120 },
  });
  for (const { close, stop, target, entry_high, probability } of record!.picks) {
    expect([stop / close, target / close, entry_high / close].map((level) => level.toFixed(4))).toEqual([
      '0.9500',
      '1.1000',
      '1.0100',
    ]);
    expect(probability).toBeNull();
  }
});

describe('the analysed day', () => {
  test('is the last trading day on or before the date and appears in the result and the summary', async () => {
    const saturday = await run({ analysis_date: '2026-09-12' });
    expect(saturday.summary.target_date).toBe('2026-09-11');
    expect(saturday.result).toMatchObject({ as_of: '2026-09-11', target_date: '2026-09-11' });
    expect((await screen({ analysis_date: '2099-01-01' })).as_of).toBe('2026-09-30');
  });
});

test('the result names its dataset and whether it is synthetic', async () => {
  const version = 'synthetic-20260930-1';
  expect((await run({})).result).toMatchObject({
    diag: { dataset_version: version, broker_data: 'none' },
    dataset: { version, kind: 'synthetic', synthetic: true, broker_data: 'none' },
  });
});

test('a run over missing days picks what it would without, and its notice says that they are missing', async () => {
  const gapped = new Panel({ ...panel.columns, gaps: [panel.dayCount - 2] });
  const [{ notice, ...across }, { notice: usual, ...expected }] = (
    await Promise.all([run({}, gapped), run({})])
  ).map(({ result }) => result as Record<'notice', Localised>) as [
    Record<'notice', Localised>,
    Record<'notice', Localised>,
  ];
  expect(across).toEqual(expected);
  expect(notice.in.en).toMatch(/Trading days before .* are missing from the data.*no recommendation/);
  expect(usual.in.en).not.toMatch(/missing/);
});
