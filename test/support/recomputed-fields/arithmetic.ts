/** Textbook arithmetic. A figure that is not defined is null. */
export type Figure = number | string | boolean | null;

export const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
export const mean = (values: readonly number[]) => sum(values) / values.length;

export function sumOf<Item>(items: readonly Item[], figure: (item: Item) => number): number {
  return sum(items.map(figure));
}

/** @param less 0 for the deviation of a population, 1 for that of a sample */
export function deviation(values: readonly number[], less: 0 | 1): number {
  const center = mean(values);
  return Math.sqrt(sum(values.map((value) => (value - center) ** 2)) / (values.length - less));
}

/** A formula of the last values; null while there are fewer. */
export function ofLast<Item>(
  count: number,
  items: readonly Item[],
  formula: (last: Item[]) => Figure,
): Figure {
  return items.length < count ? null : formula(items.slice(-count));
}

/** The figures of each of several lengths, which their names hold. */
export function named<Of>(lengths: readonly number[], figures: (length: number) => Record<string, Of>) {
  return Object.assign({}, ...lengths.map(figures)) as Record<string, Of>;
}

/** The mean of the first values, and from then on each value with a weight. One entry for each value, NaN before the first. */
function smoothed(values: readonly number[], first: number, weight: number): number[] {
  let average = NaN;
  return values.map((value, i) => {
    if (i + 1 === first) average = mean(values.slice(0, first));
    else if (i + 1 > first) average = weight * value + (1 - weight) * average;
    return average;
  });
}

export const exponential = (values: readonly number[], bars: number) =>
  smoothed(values, bars, 2 / (bars + 1));
export const wilders = (values: readonly number[], bars: number) => smoothed(values, bars, 1 / bars);

export const changes = (values: readonly number[]) => values.slice(1).map((value, i) => value - values[i]!);
export const logReturns = (closes: readonly number[]) =>
  closes.slice(1).map((close, i) => Math.log(close / closes[i]!));

/** Of 0 / 0, which says nothing, and of numbers that are not defined. */
export const orNull = (value: number) => (Number.isFinite(value) ? value : null);
export const percent = (value: number) => orNull(100 * value);

/** Differences below this part of a price are rounding. */
export const ROUNDING = 1e-9;
