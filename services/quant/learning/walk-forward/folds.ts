import { firstAtLeast, type RowRange } from '#quant/panel/ranges.ts';

export interface WalkForward {
  /** How many folds, the last of which ends with the last row. */
  folds: number;
  /** Trading days each fold is validated on. */
  foldDays: number;
  /** Trading days after its own that a row's label looks at: the horizon. */
  purgeDays: number;
  /** Further trading days left out, for what labels and features of neighbouring days share. */
  embargoDays: number;
  /** A fold with fewer days to learn from is left out. */
  leastTrainDays: number;
}

export interface Fold {
  train: RowRange;
  validation: RowRange;
}

/**
 * Expanding folds in time: each learns from the first day up to some time before the days it is validated on.
 *
 * The last day learnt from is `purgeDays + embargoDays + 1` days before the first validated one, so that no label of
 * the training rows knows a validated day (purging and embargo: Lopez de Prado, Advances in Financial Machine
 * Learning, 2018, chapter 7.4). Nothing is learnt from days after the validated ones.
 *
 * @param days index of each row's trading day, ascending
 */
export function walkForwardFolds(days: ArrayLike<number>, options: WalkForward): Fold[] {
  const { folds, foldDays, purgeDays, embargoDays, leastTrainDays } = options;
  requireAscending(days);
  if (days.length === 0) return [];
  const [firstDay, endDay] = [days[0]!, days[days.length - 1]! + 1];
  const starts = Array.from({ length: folds }, (_, i) => endDay - (folds - i) * foldDays);
  return starts.flatMap((start) => {
    const trainEnd = start - purgeDays - embargoDays;
    if (trainEnd - firstDay < Math.max(1, leastTrainDays)) return [];
    const train = { from: 0, to: firstAtLeast(days, trainEnd) };
    const validation = { from: firstAtLeast(days, start), to: firstAtLeast(days, start + foldDays) };
    return [{ train, validation }];
  });
}

function requireAscending(days: ArrayLike<number>): void {
  for (let row = 1; row < days.length; row++) {
    if (days[row]! < days[row - 1]!)
      throw new RangeError(`rows must be in order of their days; row ${row} is not`);
  }
}
