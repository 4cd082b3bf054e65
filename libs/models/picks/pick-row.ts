import type { PickRow } from '../results/results.ts';
import { ENTRY_SPREAD_PCT } from '#quant/labels/entry.ts';
import { ceilToTick, floorPrice, floorToTick, stopToTick, targetToTick } from '#quant/exchange/exchange.ts';
import { simpleReturns } from '#quant/indicators/volatility.ts';
import { rsi } from '#quant/indicators/oscillators.ts';
import type { Panel } from '#quant/panel/panel.ts';
import type { Regime } from '#quant/regime/regime.ts';
import { tradedSeries } from '#quant/panel/traded-series.ts';
import { foreignNetValue, sumOverDays } from '#quant/panel/windows.ts';
import { abbreviated, grouped, rounded, signedPercent } from '../results/display.ts';
import type { ScoredStock } from '../learnt/learnt-market.ts';

/** Target and stop of a run, as fractions of the close. */
export interface Barriers {
  target_gain: number;
  stop_loss: number;
}

/** Price levels of a name, IDR. Exact products of the close, not rounded to ticks. */
export interface PriceLevels {
  entry_low: number;
  entry_high: number;
  stop: number;
  target: number;
}

/** The levels of a result, in percent. */
export function levelsOf({ target_gain, stop_loss }: Barriers) {
  return {
    target_gain_pct: percent(target_gain),
    stop_loss_pct: percent(stop_loss),
    entry_spread_pct: ENTRY_SPREAD_PCT,
  };
}

export function priceLevels(close: number, { target_gain, stop_loss }: Barriers): PriceLevels {
  return {
    entry_low: product(close, 1 - ENTRY_SPREAD_PCT / 100),
    entry_high: product(close, 1 + ENTRY_SPREAD_PCT / 100),
    stop: product(close, 1 - stop_loss),
    target: product(close, 1 + target_gain),
  };
}

/**
 * The levels as prices that the exchange accepts on `isoDate`. Entry prices are rounded into the entry range; stop and target are rounded
 * away from the close. The stop is null if it is below the floor of the stock's board, where that board accepts no order.
 */
export function tickPrices(
  { entry_low, entry_high, stop, target }: PriceLevels,
  close: number,
  isoDate: string,
) {
  const floor = floorPrice(close);
  const lastBelow = stopToTick(stop, isoDate);
  return {
    entry_low: Math.max(floor, ceilToTick(entry_low, isoDate)),
    entry_high: floorToTick(entry_high, isoDate),
    stop: lastBelow < floor ? null : lastBelow,
    target: targetToTick(target, isoDate),
  };
}

/** Returns 7 for 0.07, where 100 × 0.07 gives 7.000000000000001. */
function percent(fraction: number): number {
  return product(fraction, 100);
}

const SIGNIFICANT_DIGITS = 12;

/** A product without the error of binary fractions: 2,882 for 2,620 × 1.1, which is 2882.0000000000005 in floats. */
function product(a: number, b: number): number {
  return Number((a * b).toPrecision(SIGNIFICANT_DIGITS));
}

/** Data that every row of a run shares. */
export interface RowContext {
  panel: Panel;
  /** Calendar index of the analysed day. */
  day: number;
  regime: Regime;
  barriers: Barriers;
}

/** A pick. Its chance fields come from the model and are absent if none was learnt. */
type PickedStock = Pick<ScoredStock, 'ticker' | 'code' | 'close' | 'averageValue'> &
  Partial<Pick<ScoredStock, 'chance' | 'baseRate' | 'probability'>>;

/** The two rates that `probability` compares, in percent; null without a model. */
export function winChance({ chance, baseRate }: Partial<Pick<ScoredStock, 'chance' | 'baseRate'>>) {
  const inPercent = (share: number | undefined) => (share === undefined ? null : rounded(100 * share, 1));
  return { win_chance_pct: inPercent(chance), base_rate_pct: inPercent(baseRate) };
}

/** Where a pick stands among the picks. */
interface Standing {
  /** 1 for the best pick. */
  rank: number;
  /** What picks are ranked by, highest first. */
  score: number;
}

/** A pick in the fields that all learning screens share. */
export function pickRow(
  stock: PickedStock,
  { rank, score }: Standing,
  { panel, day, regime, barriers }: RowContext,
): PickRow {
  const { ticker, close } = stock;
  const series = tradedSeries(panel, ticker, day);
  const levels = priceLevels(close, barriers);
  const onTick = tickPrices(levels, close, panel.columns.dates[day]!);
  const foreignNet = sumOverDays(panel, ticker, day, 5, (row) => foreignNetValue(panel, row));
  return {
    Ticker: stock.code,
    Rank: rank,
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
    Stop: levels.stop,
    Target: levels.target,
    'Stop Tick': onTick.stop,
    'Target Tick': onTick.target,
  };
}
