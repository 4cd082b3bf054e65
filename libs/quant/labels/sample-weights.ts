/** Half-life of a training row's weight: about a trading year. */
export const HALF_LIFE_DAYS = 250;

/** Days that each label depends on: the days after `from` up to `to`, both calendar indices. */
export interface LabelSpans {
  ticker: ArrayLike<number>;
  from: ArrayLike<number>;
  to: ArrayLike<number>;
}

/**
 * Weight of each label: its average uniqueness times a factor that doubles every {@link HALF_LIFE_DAYS} days after the first
 * label. A label's weight therefore depends only on what is known when the label ends. Only ratios matter: a learner that
 * uses some of the labels rescales them.
 */
export function sampleWeights(spans: LabelSpans): Float64Array {
  const weights = averageUniqueness(spans);
  let first = Infinity;
  for (let i = 0; i < weights.length; i++) first = Math.min(first, spans.from[i]!);
  // Labels of one day are mostly adjacent, and computing the power is the most expensive operation here.
  let [day, factor] = [first, 1];
  for (let i = 0; i < weights.length; i++) {
    if (spans.from[i] !== day) {
      day = spans.from[i]!;
      factor = 2 ** ((day - first) / HALF_LIFE_DAYS);
    }
    weights[i]! *= factor;
  }
  return weights;
}

/**
 * Average uniqueness (Lopez de Prado, Advances in Financial Machine Learning, 2018, chapter 4.3-4.4): the mean, over the days
 * of a label, of 1 / the number of labels that include the same day; above 0, up to 1.
 *
 * Concurrency is counted within a stock: labels of one stock depend on the same returns, labels of two stocks do not. Counted
 * over the market, it would be about the same number for every label.
 */
export function averageUniqueness(spans: LabelSpans): Float64Array {
  const grid = gridOf(spans);
  const shares = sharesUpTo(concurrency(spans, grid), grid);
  // Loops over plain arrays: `Float64Array.from` and `map` with a function take ten times as long.
  const uniqueness = new Float64Array(spans.from.length);
  for (let i = 0; i < uniqueness.length; i++) {
    const start = cell(spans, grid, i);
    const days = spans.to[i]! - spans.from[i]!;
    uniqueness[i] = (shares[start + days]! - shares[start]!) / days;
  }
  return uniqueness;
}

/** One row of cells for each ticker, one cell for each day from `firstDay` on. */
interface Grid {
  firstDay: number;
  days: number;
  tickers: number;
}

function gridOf({ ticker, from, to }: LabelSpans): Grid {
  let [firstDay, lastDay, tickers] = [Infinity, 0, 0];
  for (let i = 0; i < from.length; i++) {
    if (!(from[i]! < to[i]!))
      throw new RangeError(`label ${i} ends on day ${to[i]}, not after day ${from[i]}`);
    firstDay = Math.min(firstDay, from[i]!);
    lastDay = Math.max(lastDay, to[i]!);
    tickers = Math.max(tickers, ticker[i]! + 1);
  }
  return from.length === 0
    ? { firstDay: 0, days: 0, tickers: 0 }
    : { firstDay, days: lastDay - firstDay + 1, tickers };
}

/** The cell of a label's `from` day, the last day before those it depends on. */
function cell({ ticker, from }: LabelSpans, { firstDay, days }: Grid, label: number): number {
  return ticker[label]! * days + from[label]! - firstDay;
}

/** For each cell: the number of labels that depend on the day, less that number for the day before. */
function concurrency(spans: LabelSpans, grid: Grid): Int32Array {
  const changes = new Int32Array(grid.tickers * grid.days + 1);
  for (let i = 0; i < spans.from.length; i++) {
    const start = cell(spans, grid, i);
    changes[start + 1]!++;
    changes[start + 1 + spans.to[i]! - spans.from[i]!]!--;
  }
  return changes;
}

/** Running sum of 1 / concurrency from the ticker's first cell; cells without labels add nothing. */
function sharesUpTo(changes: Int32Array, { tickers, days }: Grid): Float64Array {
  const shares = new Float64Array(tickers * days);
  let [labels, sum] = [0, 0];
  for (let i = 0; i < shares.length; i++) {
    if (i % days === 0) sum = 0;
    labels += changes[i]!;
    if (labels > 0) sum += 1 / labels;
    shares[i] = sum;
  }
  return shares;
}
