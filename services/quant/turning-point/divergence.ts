/** Bars before the lookback among which the earlier extreme is looked for. */
const EARLIER_BARS = 60;

/**
 * Whether price and momentum disagree at a fresh extreme (Wilder 1978 calls it failure to confirm):
 * - bearish: the highest close of the last `lookback` bars is among the `recentBars` newest and above the highest of
 *   the 60 bars before the lookback, while RSI was lower at it than at that one;
 * - bullish: the same with the lowest closes, RSI higher.
 * null otherwise, and where the closes before the lookback are fewer than 60. `rsi` is as long as `close`.
 */
export function divergence(
  close: Float64Array,
  rsi: Float64Array,
  { lookback, recentBars }: { lookback: number; recentBars: number },
): 'bearish' | 'bullish' | null {
  const start = close.length - lookback;
  if (start < EARLIER_BARS) return null;
  for (const [sign, name] of [[1, 'bearish'] as const, [-1, 'bullish'] as const]) {
    const earlier = extreme(close, start - EARLIER_BARS, start, sign);
    const fresh = extreme(close, start, close.length, sign);
    const isFresh = fresh >= close.length - recentBars;
    const goesFurther = sign * (close[fresh]! - close[earlier]!) > 0;
    if (isFresh && goesFurther && sign * (rsi[earlier]! - rsi[fresh]!) > 0) return name;
  }
  return null;
}

/** Bar of the highest (sign 1) or lowest (-1) close in [from, to); the newest of equal ones. */
function extreme(close: Float64Array, from: number, to: number, sign: 1 | -1): number {
  let found = from;
  for (let bar = from + 1; bar < to; bar++) if (sign * (close[bar]! - close[found]!) >= 0) found = bar;
  return found;
}
