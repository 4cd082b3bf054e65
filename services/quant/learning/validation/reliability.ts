/** Rows whose forecast lies in one interval. */
export interface ReliabilityBin {
  /** The interval, its upper end included. */
  from: number;
  to: number;
  /** Summed weight of the rows. */
  weight: number;
  /** Weighted means: what was forecast and what came. Null in an empty interval. */
  forecast: number | null;
  observed: number | null;
}

/**
 * Forecasts of label 1 against what came, by `bins` intervals of equal width (Murphy & Winkler 1977).
 *
 * @param labels 0 or 1
 * @param weights 1 where absent
 */
export function reliabilityTable(
  probabilities: ArrayLike<number>,
  labels: ArrayLike<number>,
  bins = 10,
  weights?: ArrayLike<number>,
): ReliabilityBin[] {
  const sums = Array.from({ length: bins }, () => ({ weight: 0, forecast: 0, ones: 0 }));
  for (let row = 0; row < labels.length; row++) {
    const bin = sums[Math.max(0, Math.ceil(probabilities[row]! * bins) - 1)]!;
    const weight = weights?.[row] ?? 1;
    bin.weight += weight;
    bin.forecast += weight * probabilities[row]!;
    bin.ones += weight * labels[row]!;
  }
  return sums.map(({ weight, forecast, ones }, i) => ({
    from: i / bins,
    to: (i + 1) / bins,
    weight,
    forecast: weight > 0 ? forecast / weight : null,
    observed: weight > 0 ? ones / weight : null,
  }));
}

/** Expected calibration error: the bins' distance between forecast and observed, by weight (Naeini et al. 2015). */
export function calibrationError(table: readonly ReliabilityBin[]): number {
  const total = table.reduce((sum, { weight }) => sum + weight, 0);
  return table.reduce(
    (sum, { weight, forecast, observed }) =>
      forecast === null || observed === null ? sum : sum + (weight / total) * Math.abs(forecast - observed),
    0,
  );
}
