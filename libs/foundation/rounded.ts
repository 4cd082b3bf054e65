/** Rounds to this many decimals, halves up. The product is rounded, as `Math.round` has it: 1.45 becomes 1.5. */
export function rounded(value: number, decimals: number): number {
  const scale = 10 ** decimals;
  return Math.round(scale * value) / scale;
}

/**
 * A number with this many decimals, as figures of models are stored. It rounds the exact binary value: 1.45, which is a little less,
 * becomes 1.4. Results of earlier runs depend on it.
 */
export function toDecimals(value: number, decimals: number): number {
  return Number(value.toFixed(decimals));
}
