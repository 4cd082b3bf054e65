import { syntheticBars } from '#quant/panel/generated-bars-fixture.ts';
import { MODELS } from '#models/registry.ts';
import { brokerDaysOf } from '#quant/broker-measures/broker-days-fixture.ts';
import { brokerFlowOf, type FlowRowFixture } from '#quant/broker-rows/flow-fixture.ts';
import { BROKER_TABLE } from '#quant/broker-features/random-flow-fixture.ts';
import type { BrokerFlow } from '#quant/broker-rows/broker-flow.ts';
import { epochDayFromIso, isoFromEpochDay } from '#foundation/iso-day.ts';
import { panelOf, type BarFixture } from '#quant/panel/panel-fixture.ts';
import type { Panel } from '#quant/panel/panel.ts';
import { regimeHistory } from '#quant/regime/regime.ts';
import type { SnapshotFeatures } from '#quant/snapshot/snapshot-features.ts';
import type { FieldType } from '../field-type.ts';
import { fieldsWith } from './catalogue.ts';
import { FactHistory } from '../values/fact-history.ts';
import { factField, type DeclaredFact } from './facts.ts';
import { ModelResultDays, type Figure } from '../values/model-result-days.ts';
import type { FieldInputs } from '../values/stock.ts';

const LISTED_ON = '2020-03-04';

/** Facts of every type, and of both units that corporate actions restate. */
export const FACTS: readonly DeclaredFact[] = (
  [
    ['free_float_pct', 'number', 'percent'],
    ['book_value', 'number', 'idr_per_share'],
    ['float_shares', 'number', 'shares'],
    ['auditor', 'text', 'none'],
    ['pays_dividends', 'boolean', 'none'],
  ] as const
).map(([name, type, unit]) => ({
  name,
  type,
  unit,
  label: { id: `${name} (id)`, en: name },
  formula: 'as imported',
  source: 'Made up',
  null_means: { id: 'Tidak ada.', en: 'There is none.' },
}));
export const FACT_FIELDS = fieldsWith(FACTS.map((fact) => factField(fact)));

/** The field of each figure of market-data's snapshot, but of the one whose windows differ. */
const FIELD_OF_FIGURE: Record<Exclude<keyof SnapshotFeatures, 'smart_money_divergence'>, string> = {
  ret_1d_pct: 'ret_1d',
  ret_5d_pct: 'ret_5d',
  ret_20d_pct: 'ret_20d',
  ma5: 'sma_5',
  ma10: 'sma_10',
  ma20: 'sma_20',
  ma50: 'sma_50',
  ma200: 'sma_200',
  dist_ma20_pct: 'dist_sma_20_pct',
  dist_ma50_pct: 'dist_sma_50_pct',
  rsi14: 'rsi_14',
  stoch_k: 'stoch_k',
  stoch_d: 'stoch_d',
  macd: 'macd',
  macd_signal: 'macd_signal',
  macd_hist: 'macd_hist',
  confluence_signals: 'confluence_signals',
  atr14: 'atr_14',
  atr14_pct: 'atr_14_pct',
  bb_upper: 'bb_upper',
  bb_lower: 'bb_lower',
  bb_width_pct: 'bb_width_pct',
  volatility20_pct: 'volatility_20d_pct',
  high_52w: 'high_52w',
  low_52w: 'low_52w',
  dist_52w_high_pct: 'dist_high_52w_pct',
  avg_value_20d: 'value_20d',
  volume_ratio_5: 'volume_ratio_5',
  volume_ratio_20: 'volume_ratio_20',
  foreign_net_value_1d: 'foreign_net_1d_idr',
  foreign_net_value_5d: 'foreign_net_5d_idr',
  foreign_net_value_20d: 'foreign_net_20d_idr',
  nego_value_5d: 'nego_value_5d_idr',
  bandar_net_value_1d: 'bandar_net_1d_idr',
  bandar_net_value_5d: 'bandar_net_5d_idr',
  bandar_net_value_20d: 'bandar_net_20d_idr',
  retail_net_value_1d: 'retail_net_1d_idr',
  retail_net_value_5d: 'retail_net_5d_idr',
  top5_buyer_share_pct: 'top5_buyer_share_1d_pct',
  accum_score: 'accum_score_1d',
};
export const SNAPSHOT_FIGURES = Object.entries(FIELD_OF_FIGURE) as [keyof SnapshotFeatures, string][];

/**
 * Values that become known every few days, also on days without trading, and are sometimes withdrawn.
 * @param later whether values that become known after a day (YYYY-MM-DD) are left out, or which value they are
 */
export function factsOf(
  panel: Panel,
  later?: { than: string; value: string | undefined },
): Map<string, FactHistory> {
  const { tickers, dates } = panel.columns;
  const histories = FACTS.map(({ name, type }, fact): [string, FactHistory] => {
    const history = new FactHistory(type, panel);
    for (const [ticker, code] of tickers.entries()) {
      for (const date of dates) {
        const seed = epochDayFromIso(date) + code.charCodeAt(0) + 3 * code.charCodeAt(2) + fact;
        if (seed % 5 > 1) continue;
        const knownSince = seed % 5 === 0 ? date : isoFromEpochDay(epochDayFromIso(date) + 1);
        const value = later && knownSince > later.than ? later.value : factValue(type, seed);
        if (value !== undefined) history.add(ticker, knownSince, value);
      }
    }
    return [name, history];
  });
  return new Map(histories);
}

function factValue(type: FieldType, seed: number): string | null {
  if (seed % 11 === 0) return null;
  return { number: `${(seed % 17) + 0.5}`, text: `Auditor ${seed % 4}`, boolean: `${seed % 2 === 0}` }[type];
}

/**
 * Daily results of every model. Some days have none, and on the others some stocks are not scored or have no rank.
 * @param later what the runs of days after one (YYYY-MM-DD) say of everything
 */
export function resultsOf(
  panel: Panel,
  later?: { than: string; value: number },
): Map<string, ModelResultDays> {
  const { tickers, dates } = panel.columns;
  const span = { firstDay: 0, lastDay: dates.length - 1 };
  const results = MODELS.map(({ id }, model): [string, ModelResultDays] => {
    const days = new ModelResultDays(panel, span);
    for (const [day, date] of dates.entries()) {
      for (const [ticker, code] of tickers.entries()) {
        const seed = 7 * epochDayFromIso(date) + code.charCodeAt(0) + 5 * code.charCodeAt(2) + model;
        if (epochDayFromIso(date) % 9 === 4 || seed % 6 === 0) continue;
        days.add(ticker, day, later && date > later.than ? allOf(later.value) : resultOf(seed));
      }
    }
    return [id, days];
  });
  return new Map(results);
}

function resultOf(seed: number): Record<Figure, number> {
  return { probability: 30 + (seed % 41), rank: seed % 4 === 0 ? NaN : 1 + (seed % 13), picked: seed % 2 };
}

function allOf(value: number): Record<Figure, number> {
  return { probability: value, rank: value, picked: Number.isNaN(value) ? NaN : 1 };
}

/** A market for tests, with a split in its first stock, days without a trade, and broker rows that some days lack. */
export function marketBars(options: { seed: number; tickers: number; days: number }): BarFixture[] {
  const bars = syntheticBars(options);
  const first = bars.filter(({ ticker }) => ticker === bars[0]!.ticker);
  return bars.map((bar, i) => {
    if (i % 37 === 5) return { ...bar, ...UNTRADED, open: bar.close, high: bar.close, low: bar.close };
    const isSplit = bar === first.at(-15);
    return isSplit ? { ...bar, factor: 0.5, share_factor: 0.5 } : bar;
  });
}

const UNTRADED = { volume: 0, value: 0, frequency: 0, foreign_buy: 0, foreign_sell: 0 };

/** Every broker buys and sells a part, at the day's average price. Now and then a stock has no rows on a day. */
function brokerRows(bars: readonly BarFixture[]): FlowRowFixture[] {
  return bars.flatMap(({ ticker, date, volume = 0, value = 0 }) => {
    const seed = epochDayFromIso(date) + ticker.charCodeAt(0) + ticker.charCodeAt(2);
    if (volume === 0 || seed % 60 === 3) return [];
    const [bought, sold] = [partsOf(volume, seed, 7), partsOf(volume, seed, 11)];
    return BROKER_TABLE.map(({ code }, i) => ({
      ticker,
      date,
      broker: code,
      buy_shares: bought[i]!,
      buy_value: Math.round((value * bought[i]!) / volume),
      sell_shares: sold[i]!,
      sell_value: Math.round((value * sold[i]!) / volume),
    }));
  });
}

/** A volume split among the brokers by weights that change from day to day. */
function partsOf(volume: number, seed: number, factor: number): number[] {
  const weights = BROKER_TABLE.map((_, i) => ((seed * factor + i * 13) % 17) ** 2 + 1);
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  const parts = weights.map((weight) => Math.floor((volume * weight) / whole));
  parts[0]! += volume - parts.reduce((sum, part) => sum + part, 0);
  return parts;
}

export function flowOf(panel: Panel, bars: readonly BarFixture[]): BrokerFlow {
  return brokerFlowOf(panel, brokerRows(bars), BROKER_TABLE);
}

/** Everything that fields need, of bars in (ticker, date) order. */
export function inputsOf(bars: readonly BarFixture[], panel = listedPanel(bars)): FieldInputs {
  return {
    panel,
    history: regimeHistory(panel),
    brokerDays: brokerDaysOf(panel, flowOf(panel, bars)),
    facts: factsOf(panel),
    modelResults: resultsOf(panel),
  };
}

export function listedPanel(bars: readonly BarFixture[]): Panel {
  const tickers = [...new Set(bars.map(({ ticker }) => ticker))];
  const listing = tickers.map((ticker, i) => ({
    ticker,
    name: ticker,
    sector: `Sector ${i % 3}`,
    board: i % 2 === 0 ? 'Main' : 'Development',
    listed_on: i % 4 === 3 ? null : LISTED_ON,
  }));
  return panelOf(bars, listing);
}
