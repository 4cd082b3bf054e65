/** Probability 0 for what happened would make the mean loss infinite and hide every other row. */
const LEAST_PROBABILITY = 1e-9;

/** What was forecast and what came. */
export interface Forecasts {
  /** One row after the other, `scores` of each: the probability of label 1 when that is 1, of each class otherwise. */
  probabilities: ArrayLike<number>;
  scores: number;
  labels: ArrayLike<number>;
  /** 1 where absent. */
  weights?: ArrayLike<number>;
}

/** Weighted mean of -ln of the probability given to what came. NaN without rows. */
export function logLoss(forecasts: Forecasts): number {
  return weightedMean(forecasts, (row) => -Math.log(Math.max(LEAST_PROBABILITY, given(forecasts, row))));
}

/**
 * Brier's score: weighted mean of the squared distance between forecast and outcome, over label 1 alone for a binary
 * forecast (0 to 1) and over all classes otherwise (0 to 2; Brier 1950). NaN without rows.
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
