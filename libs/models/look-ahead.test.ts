import { describe, expect, test } from 'vitest';
import { brokerDaysOf } from '#quant/broker-measures/broker-days-fixture.ts';
import { brokerFlowOf, type FlowRowFixture } from '#quant/broker-rows/flow-fixture.ts';
import { panelKnownOn } from '#quant/panel/known-panel.ts';
import type { LateFactor } from '#quant/panel/panel-columns.ts';
import { Panel } from '#quant/panel/panel.ts';
import { type BarFixture, factorsOf, panelOf } from '#quant/panel/panel-fixture.ts';
import { BROKERS, brokerMarket } from './gross-alpha/gross-fixture.ts';
import { keptModels } from './trained/model-cache-fixture.ts';
import { poisonedAfter } from './fixtures/market-fixtures.ts';
import { syntheticBars } from '#quant/panel/generated-bars-fixture.ts';
import { LOW_FLOORS, type Model } from './model/model.ts';
import { defaultsOf } from './inputs/parameters.ts';
import { MODELS } from './registry.ts';
import { screenInput } from './fixtures/screen-input-fixture.ts';
import { RunFailure } from './inputs/run-failure.ts';
import type { ScreenInput } from './model/screen.ts';
import type { View } from './results/full-view.ts';

/**
 * No result of any model uses a bar or a broker row after the analysed day, or a corporate action that became known after it: not
 * its picks, nor its quality on past days, nor what it learns, records and explains. A model that is added to the registry is
 * tested with its examples.
 */

/** A market with and without what came after the analysed day. Shares of every third stock's issue are not listed by then. */
interface Market {
  name: string;
  asOf: string;
  tickers: readonly string[];
  whole: Data;
  /** Without any later row, with later rows that make no sense, and with actions that became known later. */
  others: Data[];
}

type Data = Pick<ScreenInput, 'panel'> &
  Partial<Pick<ScreenInput, 'brokerFlow' | 'brokerDays' | 'modelCache'>>;

const bars = syntheticBars({ seed: 11, tickers: 100, days: 440 });
const broker = brokerMarket({ seed: 3, tickers: 40, days: 440, pull: 0.3 });

const MARKETS: Market[] = [
  ...['2026-04-30', '2026-07-15', '2026-09-01'].map((asOf) => marketOf('bars', asOf, bars)),
  marketOf('bars and broker rows', panelOf(broker.bars).columns.dates[420]!, broker.bars, broker.rows),
];

function marketOf(name: string, asOf: string, all: BarFixture[], rows?: FlowRowFixture[]): Market {
  const issues = new Set(rowsBefore(all, asOf, 1));
  const bars = all.map((bar, row) => (issues.has(row) ? { ...bar, factor: 0.5, share_factor: 1 } : bar));
  const upTo = <Row extends { date: string }>(all: Row[]) => all.filter(({ date }) => date <= asOf);
  const known = dataOf(upTo(bars), rows && upTo(rows));
  return {
    name,
    asOf,
    tickers: known.panel.columns.tickers,
    whole: dataOf(bars, rows),
    others: [
      known,
      dataOf(poisonedAfter(bars, asOf), rows && poisonedRowsAfter(rows, asOf)),
      restatedAfter(bars, asOf, rows),
    ],
  };
}

/** A traded row of every third stock, some days before. */
function rowsBefore(bars: readonly BarFixture[], asOf: string, first: 0 | 1): number[] {
  const panel = panelOf(bars);
  const asOfDay = panel.dayOnOrBefore(asOf);
  const rows: number[] = [];
  for (let ticker = first; ticker < panel.tickerCount; ticker += 3) {
    const row = panel.lastTradedRow(ticker, asOfDay - 5 - (ticker % 60));
    if (row > panel.firstRow(ticker)) rows.push(row);
  }
  return rows;
}

/**
 * On the day after the analysed one, splits become known that halve all prices of every third stock before some earlier day, and the
 * listed shares of other stocks show that their issues were bonus shares.
 */
function restatedAfter(bars: readonly BarFixture[], asOf: string, rows?: FlowRowFixture[]): Data {
  const panel = panelOf(bars);
  const knownDay = panel.dayOnOrBefore(asOf) + 1;
  const late_factors = [...rowsBefore(bars, asOf, 0), ...rowsBefore(bars, asOf, 1)].map((row): LateFactor => {
    const { factor = 1, share_factor = 1 } = bars[row]!;
    return { row, knownDay, factor, share_factor };
  });
  const restated = new Set(late_factors.map(({ row }) => row));
  const stated = bars.map((bar, row) =>
    restated.has(row) ? { ...bar, factor: 0.5, share_factor: 0.5 } : bar,
  );
  const data = dataOf(stated, rows);
  return { ...data, panel: new Panel({ ...data.panel.columns, late_factors }) };
}

function dataOf(bars: BarFixture[], rows?: FlowRowFixture[]): Data {
  const panel = panelOf(bars);
  if (!rows) return { panel };
  const brokerFlow = brokerFlowOf(panel, rows, BROKERS);
  return { panel, brokerFlow, brokerDays: brokerDaysOf(panel, brokerFlow) };
}

/** Later days on which an unknown broker trades as much as never before, or everybody only sells. */
function poisonedRowsAfter(rows: readonly FlowRowFixture[], day: string): FlowRowFixture[] {
  const unknown = { broker: 'ZZ', buy_value: 1e15, buy_shares: 5e8, sell_shares: 5e8, sell_value: 1e15 };
  const onlySold = { buy_value: 0, sell_value: 1e15 };
  return rows.map((row, i) => (row.date <= day ? row : { ...row, ...(i % 2 ? unknown : onlySold) }));
}

interface Case {
  view: View;
  params: Record<string, unknown>;
}

/** Cases in addition to the defaults and the model's examples: results without picks, many picks, other windows. */
const MORE: Record<string, (tickers: readonly string[]) => Record<string, unknown>[]> = {
  regime_adaptive_v6: () => [
    { ...LOW_FLOORS, min_probability: 30, train_days: 250 },
    { min_probability: 100 },
  ],
  gann_classic_v7: () => [
    { ...LOW_FLOORS, min_probability: 30, min_cycle_score: 0, max_picks: 20 },
    { use_ml: false, min_cycle_score: 100 },
  ],
  gross_alpha_v10: () => [
    { ...LOW_FLOORS, min_probability: 30, train_days: 250, exclude_retail_led: false, max_picks: 20 },
  ],
  confluence_filter: () => [
    { min_signals: 4, min_daily_val: 1e11 },
    { min_signals: 1, max_picks: 50 },
    ...[1, 5, 20].map((seller_lookback) => ({ ...LOW_FLOORS, min_signals: 1, seller_lookback })),
  ],
  recovery_v4: (tickers) => [
    { positions: tickers.slice(0, 24).map((ticker, i) => ({ ticker, pnl_input: 5 * (i - 12) })) },
  ],
  model_f_combined: () => [{ ...LOW_FLOORS, min_probability: 30, strategy: 'Intersection' }],
};

function casesOf({ id, params, examples }: Model, tickers: readonly string[]): Case[] {
  const more = (MORE[id]?.(tickers) ?? []).map((params) => ({ params }));
  const tried: Partial<Case>[] = [{}, ...examples(tickers), ...more];
  return tried.map(({ view = 'full', params: change }) => ({
    view,
    params: { ...defaultsOf(params), ...change },
  }));
}

interface Outcome {
  /** Everything that a run outputs, or why it failed. */
  text: string;
  pickCount: number;
  sellerRule?: string;
}

const known = new WeakMap<Data, Data>();

/** What runs as of the day read. Later runs on the same data use the models that earlier ones trained, as in a worker. */
function knownOn(asOf: string, data: Data): Data {
  const panel = panelKnownOn(data.panel, data.panel.dayOnOrBefore(asOf));
  const { brokerDays } = data;
  const read = known.get(data) ?? {
    ...data,
    panel,
    ...(brokerDays && { brokerDays: brokerDays.beside(panel) }),
    modelCache: keptModels(),
  };
  known.set(data, read);
  return read;
}

async function outcomeOf(model: Model, data: Data, asOf: string, run: Case): Promise<Outcome> {
  const { screen } = await model.screen();
  try {
    const output = await screen.run(
      screenInput({ ...knownOn(asOf, data), ...run, analysisDate: asOf, threads: 1 }),
    );
    const { seller_rule } = (output.result['diag'] ?? {}) as { seller_rule?: string };
    return {
      text: JSON.stringify(output),
      pickCount: output.summary.pick_count,
      ...(seller_rule && { sellerRule: seller_rule }),
    };
  } catch (failure) {
    if (!(failure instanceof RunFailure)) throw failure;
    return { text: `${failure.code}: ${failure.message}`, pickCount: 0 };
  }
}

/** What the results on the whole market held, by model, so that nothing empty is compared alone. */
const seen = new Map<string, Outcome[]>();

test('the actions that become known later restate bars that runs as of that day read', () => {
  for (const { asOf, others, whole } of MARKETS) {
    const { panel } = others[2]!;
    const day = panel.dayOnOrBefore(asOf);
    const cumulative = (known: Panel) => factorsOf(known.columns).price;
    expect(cumulative(panelKnownOn(panel, day + 1))).not.toEqual(cumulative(whole.panel));
    expect(cumulative(panelKnownOn(panel, day))).toEqual(cumulative(whole.panel));
  }
});

describe.each(MODELS)('$id changes no byte when what came after the analysed day', (model) => {
  test.each(MARKETS)(
    '($name after $asOf) is deleted, poisoned or becomes known',
    async ({ asOf, tickers, whole, others }) => {
      for (const run of casesOf(model, tickers)) {
        const outcome = await outcomeOf(model, whole, asOf, run);
        for (const other of others)
          expect((await outcomeOf(model, other, asOf, run)).text).toBe(outcome.text);
        seen.set(model.id, [...(seen.get(model.id) ?? []), outcome]);
      }
    },
  );

  test('in results with picks and without', () => {
    const counts = seen.get(model.id)!.map(({ pickCount }) => pickCount);
    expect(Math.max(...counts), 'no case has picks: add one to MORE').toBeGreaterThan(0);
    expect(Math.min(...counts), 'every case has picks: add one without to MORE').toBe(0);
  });
});

test('sellers are judged by broker rows in some of the runs', () => {
  const rules = [...seen.values()].flat().map(({ sellerRule }) => sellerRule);
  expect(rules).toContain('brokers');
});
