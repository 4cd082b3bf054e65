import { simpleReturns } from '#quant/indicators/returns.ts';
import { rsi } from '#quant/indicators/rsi.ts';
import type { Panel } from '#quant/panel/panel.ts';
import type { Regime } from '#quant/regime/regime.ts';
import { tradedSeries } from '#quant/series/traded-series.ts';
import { foreignNetValue, sumOverDays } from '#quant/snapshot/money-windows.ts';
import { abbreviated, grouped, rounded, signedPercent } from '../display.ts';
import type { ScoredStock } from './learnt-market.ts';
import { priceLevels, type Barriers } from './levels.ts';

/** What every row of a run shares. */
export interface RowContext {
  panel: Panel;
  /** Calendar index of the analysed day. */
  day: number;
  regime: Regime;
  barriers: Barriers;
}

/** A pick; the probability is that of the model, where one was learnt. */
type PickedStock = Pick<ScoredStock, 'ticker' | 'code' | 'close' | 'averageValue'> &
  Partial<Pick<ScoredStock, 'probability'>>;

/** A pick in the fields that all learning screens have. `score` is what it was ranked by, highest first. */
export function pickRow(stock: PickedStock, score: number, { panel, day, regime, barriers }: RowContext) {
  const { ticker, close } = stock;
  const series = tradedSeries(panel, ticker, day);
  const { stop, target } = priceLevels(close, barriers);
  const foreignNet = sumOverDays(panel, ticker, day, 5, (row) => foreignNetValue(panel, row));
  return {
    Ticker: stock.code,
    Regime: regime,
    Probability: stock.probability === undefined ? '-' : `${stock.probability.toFixed(1)}%`,
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
