import type { FeatureTable } from '#quant/features/feature-table.ts';
import { tripleBarrier } from '#quant/labels/triple-barrier.ts';
import { modelQuality } from '#quant/model-quality/model-quality.ts';
import { MIN_BARS } from '#quant/universe/candidates.ts';
import { analysedDay } from '../analysed-day.ts';
import { bestOfEachDay, type PicksOf } from '../learnt/best-of-each-day.ts';
import type { LearningWish, ModelQuality } from '../learnt/learnt-market.ts';
import { trainingRows } from '../learnt/training-set.ts';
import type { ScreenInput } from '../screen.ts';
import type { GannDay, GannStock } from './gann-day.ts';

/**
 * The market of a day without learning. Its quality comes from the very days and names, by the same barriers, that a
 * model would learn from: nothing is fitted to them here, so all of them are as good as unseen.
 *
 * @throws RunFailure when the day is too early.
 */
export function unlearntDay(
  input: Pick<ScreenInput, 'panel' | 'features'>,
  wish: Pick<LearningWish, 'analysisDate' | 'targetGain' | 'stopLoss' | 'horizonDays' | 'trainDays'>,
): GannDay {
  const day = analysedDay(input.panel, wish.analysisDate, MIN_BARS);
  const table = input.features();
  const { from, to } = table.rowsOf(day);
  return {
    day,
    asOf: input.panel.columns.dates[day]!,
    stocks: Array.from({ length: to - from }, (_, i) => stockAt(table, from + i)),
    quality: (picksOf) => qualityOf(table, trainingRows(table, day, wish), wish, day, picksOf),
    description: null,
  };
}

function qualityOf(
  table: FeatureTable,
  rows: Uint32Array,
  wish: Pick<LearningWish, 'targetGain' | 'stopLoss' | 'horizonDays'>,
  day: number,
  picksOf: PicksOf<GannStock>,
): ModelQuality {
  const past = Array.from(rows, (row) => ({ ...stockAt(table, row), day: table.dayOf(row) }));
  const picked = bestOfEachDay(past, picksOf);
  const days = {
    ticker: picked.map(({ ticker }) => ticker),
    panelRow: picked.map(({ panelRow }) => panelRow),
  };
  const { won, netReturn } = tripleBarrier(table.panel, days, wish, day);
  return modelQuality(picked.map((_, i) => ({ won: won[i] === 1, netReturn: netReturn[i]! })));
}

function stockAt(table: FeatureTable, row: number): GannStock {
  const { tickers, close } = table.panel.columns;
  const panelRow = table.columns.panelRow[row]!;
  const ticker = table.columns.ticker[row]!;
  const averageValue = table.columns.averageValue[row]!;
  return { row, panelRow, ticker, code: tickers[ticker]!, close: close[panelRow]!, averageValue };
}
