/**
 * Prices and volumes that are restated for a corporate action carry binary rounding, about 1e-16 of them. Values that differ by less
 * than this part are the same value. A tick is at least 1e-5 of any price.
 */
export const ROUNDING = 1e-10;

/** `to` - `from`; exactly 0 for the same price. */
export function priceMove(from: number, to: number): number {
  const difference = to - from;
  return Math.abs(difference) <= ROUNDING * Math.abs(from) ? 0 : difference;
}

/** `to` / `from` - 1, as a fraction; exactly 0 for the same price. */
export function relativeMove(from: number, to: number): number {
  const change = to / from - 1;
  return Math.abs(change) <= ROUNDING ? 0 : change;
}
