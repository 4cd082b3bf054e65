import { firstAtLeast, type RowRange } from '#quant/panel/ranges.ts';

export interface WalkForward {
  /** Number of folds. The last fold ends with the last row. */
  folds: number;
  /** Trading days on which each fold is validated. */
  foldDays: number;
  /** Trading days after its own that a row's label depends on: the horizon. */
  purgeDays: number;
  /** Further trading days left out, because labels and features of adjacent days share data. */
  embargoDays: number;
  /** Folds with fewer training days are left out. */
  leastTrainDays: number;
}

export interface Fold {
  train: RowRange;
  validation: RowRange;
}

/**
 * Expanding folds in time: each trains from the first day up to some time before its validated days.
 *
 * The last training day is `purgeDays + embargoDays + 1` days before the first validated day, so that no label of the
 * training rows depends on a validated day (purging and embargo: Lopez de Prado, Advances in Financial Machine Learning,
 * 2018, chapter 7.4). No fold trains on days after its validated days.
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
