/** A value and how much it counts. */
export interface WeightedValue {
  value: number;
  /** Not negative. */
  weight: number;
}

/**
 * The lowest value at or below which at least the part `share` (0 to 1) of the summed weight lies: the inverse of the
 * weighted distribution function, so always one of the values. NaN without any weight.
 */
export function weightedQuantile(values: readonly WeightedValue[], share: number): number {
  const ascending = values.filter(({ weight }) => weight > 0).sort((a, b) => a.value - b.value);
  const total = ascending.reduce((sum, { weight }) => sum + weight, 0);
  let below = 0;
  for (const { value, weight } of ascending) {
    below += weight;
    if (below >= share * total) return value;
  }
  return ascending.at(-1)?.value ?? NaN;
}
