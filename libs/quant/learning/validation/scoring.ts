import { ascendingOrder } from '../ascending-order.ts';

/** Lower bound of a probability. A probability of 0 for the actual outcome would make the mean loss infinite. */
const MIN_PROBABILITY = 1e-9;

/** Forecasts and actual outcomes. */
export interface Forecasts {
  /** Row by row, `scores` values for each row: the probability of label 1 when `scores` is 1, of each class otherwise. */
  probabilities: ArrayLike<number>;
  scores: number;
  labels: ArrayLike<number>;
  /** 1 when absent. */
  weights?: ArrayLike<number>;
}

/** Weighted mean of -ln of the probability given to the actual outcome. NaN without rows. */
export function logLoss(forecasts: Forecasts): number {
  return weightedMean(forecasts, (row) => -Math.log(Math.max(MIN_PROBABILITY, given(forecasts, row))));
}

/**
 * Brier score: weighted mean of the squared distance between forecast and outcome, over label 1 alone for a binary forecast
 * (0 to 1) and over all classes otherwise (0 to 2; Brier 1950). NaN without rows.
 */
export function brierScore(forecasts: Forecasts): number {
  const { probabilities, scores, labels } = forecasts;
  return weightedMean(forecasts, (row) => {
    if (scores === 1) return (probabilities[row]! - labels[row]!) ** 2;
    let sum = 0;
    for (let k = 0; k < scores; k++)
      sum += (probabilities[row * scores + k]! - (labels[row] === k ? 1 : 0)) ** 2;
    return sum;
  });
}

function given({ probabilities, scores, labels }: Forecasts, row: number): number {
  if (scores > 1) return probabilities[row * scores + labels[row]!]!;
  return labels[row] === 1 ? probabilities[row]! : 1 - probabilities[row]!;
}

function weightedMean({ labels, weights }: Forecasts, ofRow: (row: number) => number): number {
  let [sum, total] = [0, 0];
  for (let row = 0; row < labels.length; row++) {
    const weight = weights?.[row] ?? 1;
    sum += weight * ofRow(row);
    total += weight;
  }
  return sum / total;
}

/**
 * Area under the ROC curve: the probability that a row of label 1 has a higher score than a row of label 0, with ties
 * counted half (Mann & Whitney 1947; Hanley & McNeil 1982). NaN when one label has no row.
 *
 * @param labels 0 or 1
 */
export function auc(scores: Float32Array, labels: ArrayLike<number>): number {
  const order = ascendingOrder(scores);
  let [zerosBelow, onesBelow, pairs] = [0, 0, 0];
  for (let start = 0, end = 0; start < order.length; start = end) {
    const tied = scores[order[start]!]!;
    let [zeros, ones] = [0, 0];
    for (end = start; end < order.length && scores[order[end]!] === tied; end++) {
      if (labels[order[end]!] === 1) ones++;
      else zeros++;
    }
    pairs += ones * (zerosBelow + zeros / 2);
    zerosBelow += zeros;
    onesBelow += ones;
  }
  return pairs / (zerosBelow * onesBelow);
}

/** Rows whose forecast is in one interval. */
export interface ReliabilityBin {
  /** The interval, its upper end included. */
  from: number;
  to: number;
  /** How many there are. */
  weight: number;
  /** Means of forecasts and of outcomes. Null for an empty interval. */
  forecast: number | null;
  observed: number | null;
}

/**
 * Compares forecasts of label 1 with outcomes in `bins` intervals of equal width (Murphy & Winkler 1977).
 *
 * @param labels 0 or 1
 */
export function reliabilityTable(
  probabilities: ArrayLike<number>,
  labels: ArrayLike<number>,
  bins = 10,
): ReliabilityBin[] {
  const sums = Array.from({ length: bins }, () => ({ weight: 0, forecast: 0, ones: 0 }));
  for (let row = 0; row < labels.length; row++) {
    const bin = sums[Math.max(0, Math.ceil(probabilities[row]! * bins) - 1)]!;
    bin.weight++;
    bin.forecast += probabilities[row]!;
    bin.ones += labels[row]!;
  }
  return sums.map(({ weight, forecast, ones }, i) => ({
    from: i / bins,
    to: (i + 1) / bins,
    weight,
    forecast: weight > 0 ? forecast / weight : null,
    observed: weight > 0 ? ones / weight : null,
  }));
}

/** Expected calibration error: the mean distance between forecast and observed over the rows of all bins (Naeini et al. 2015). */
export function calibrationError(table: readonly ReliabilityBin[]): number {
  const total = table.reduce((sum, { weight }) => sum + weight, 0);
  return table.reduce(
    (sum, { weight, forecast, observed }) =>
      forecast === null || observed === null ? sum : sum + (weight / total) * Math.abs(forecast - observed),
    0,
  );
}
