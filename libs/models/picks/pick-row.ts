import type { PickRow } from '../results/results.ts';
import { type StopAndTarget, priceLevels, tickPrices } from '#quant/labels/price-levels.ts';
import { simpleReturns } from '#quant/indicators/volatility.ts';
import { rsi } from '#quant/indicators/oscillators.ts';
import type { Panel } from '#quant/panel/panel.ts';
import type { Regime } from '#quant/regime/regime.ts';
import { tradedSeries } from '#quant/panel/traded-series.ts';
import { foreignNetValue, sumOverDays } from '#quant/panel/windows.ts';
import { abbreviated, grouped, signedPercent } from '../results/display.ts';
import { toDecimals } from '#foundation/rounded.ts';
import type { ScoredStock } from '../trained/trained-market.ts';

/** Data that every row of a run shares. */
export interface RowContext {
  panel: Panel;
  /** Calendar index of the analysed day. */
  day: number;
  regime: Regime;
  barriers: StopAndTarget;
}

/** A pick. Its chance fields come from the model and are absent if none was trained. */
type PickedStock = Pick<ScoredStock, 'ticker' | 'code' | 'close' | 'averageValue'> &
  Partial<Pick<ScoredStock, 'chance' | 'baseRate' | 'probability'>>;

/** The two rates that `probability` compares, in percent; null without a model. */
export function winChance({ chance, baseRate }: Partial<Pick<ScoredStock, 'chance' | 'baseRate'>>) {
  const inPercent = (share: number | undefined) => (share === undefined ? null : toDecimals(100 * share, 1));
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
    Score: toDecimals(score, 1),
    'Last Close': grouped(close),
    'Daily Val': abbreviated(stock.averageValue),
    RSI: toDecimals(rsi(series.close).at(-1)!, 1),
    'Ret 20D': signedPercent(simpleReturns(series.close, 20).at(-1)!),
    'Foreign Net 5D': abbreviated(foreignNet),
    Entry: close,
    Stop: levels.stop,
    Target: levels.target,
    'Stop Tick': onTick.stop,
    'Target Tick': onTick.target,
  };
}
