import type { PickRow } from '../results.ts';
import { ENTRY_SPREAD_PCT } from '#quant/labels/entry.ts';
import { simpleReturns } from '#quant/indicators/volatility.ts';
import { rsi } from '#quant/indicators/oscillators.ts';
import type { Panel } from '#quant/panel/panel.ts';
import type { Regime } from '#quant/regime/regime.ts';
import { tradedSeries } from '#quant/panel/traded-series.ts';
import { foreignNetValue, sumOverDays } from '#quant/panel/windows.ts';
import { abbreviated, grouped, rounded, signedPercent } from '../display.ts';
import type { ScoredStock } from './learnt-market.ts';

/** Of a run, as fractions of the close. */
export interface Barriers {
  target_gain: number;
  stop_loss: number;
}

/** Of a name, IDR. Exact products of the close, not rounded to ticks. */
interface PriceLevels {
  entry_low: number;
  entry_high: number;
  stop: number;
  target: number;
}

/** What a result says of its levels, in percent. */
export function levelsOf({ target_gain, stop_loss }: Barriers) {
  return {
    target_gain_pct: percent(target_gain),
    stop_loss_pct: percent(stop_loss),
    entry_spread_pct: ENTRY_SPREAD_PCT,
  };
}

export function priceLevels(close: number, { target_gain, stop_loss }: Barriers): PriceLevels {
  return {
    entry_low: close * (1 - ENTRY_SPREAD_PCT / 100),
    entry_high: close * (1 + ENTRY_SPREAD_PCT / 100),
    stop: close * (1 - stop_loss),
    target: close * (1 + target_gain),
  };
}

/** 7 for 0.07, which times 100 is 7.000000000000001. */
function percent(fraction: number): number {
  return rounded(fraction * 100, 10);
}

/** What every row of a run shares. */
export interface RowContext {
  panel: Panel;
  /** Calendar index of the analysed day. */
  day: number;
  regime: Regime;
  barriers: Barriers;
}

/** A pick; what is said of its chance comes from the model, where one was learnt. */
type PickedStock = Pick<ScoredStock, 'ticker' | 'code' | 'close' | 'averageValue'> &
  Partial<Pick<ScoredStock, 'chance' | 'baseRate' | 'probability'>>;

/** What `probability` compares, in percent; null without a model. */
export function winChance({ chance, baseRate }: Partial<Pick<ScoredStock, 'chance' | 'baseRate'>>) {
  const inPercent = (share: number | undefined) => (share === undefined ? null : rounded(100 * share, 1));
  return { win_chance_pct: inPercent(chance), base_rate_pct: inPercent(baseRate) };
}

/** A pick in the fields that all learning screens have. `score` is what it was ranked by, highest first. */
export function pickRow(
  stock: PickedStock,
  score: number,
  { panel, day, regime, barriers }: RowContext,
): PickRow {
  const { ticker, close } = stock;
  const series = tradedSeries(panel, ticker, day);
  const { stop, target } = priceLevels(close, barriers);
  const foreignNet = sumOverDays(panel, ticker, day, 5, (row) => foreignNetValue(panel, row));
  return {
    Ticker: stock.code,
    Regime: regime,
    Probability: stock.probability === undefined ? '-' : `${stock.probability.toFixed(1)}%`,
    ...winChance(stock),
    Score: rounded(score, 1),
    'Last Close': grouped(close),
    'Daily Val': abbreviated(stock.averageValue),
    RSI: rounded(rsi(series.close).at(-1)!, 1),
    'Ret 20D': signedPercent(simpleReturns(series.close, 20).at(-1)!),
    'Foreign Net 5D': abbreviated(foreignNet),
    Entry: close,
    Stop: stop,
    Target: target,
  };
}
