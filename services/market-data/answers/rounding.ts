/** Four decimals: finer than any price or percentage means, and without the noise of binary fractions. */
export function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

/** Change of a close against the reference price of its day, percent; 0 where there is no reference price. */
export function changePct(close: number, previous: number): number {
  return previous > 0 ? rounded(100 * (close / previous - 1)) : 0;
}
