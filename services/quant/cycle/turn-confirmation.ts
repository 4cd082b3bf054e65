import type { SwingBars } from './swing-pivots.ts';

/** What the last bar says about a turn upwards: the usual signs of chartists. None is known to foretell returns. */

const LOW_WITHIN_BARS = 3;
const VOLUME_BARS = 20;

/**
 * Whether `bar` turns up from a low: the lowest low of the last `window` bars lies in the last three, the close is
 * above the one before and in the upper half of the bar's range. Openings are not looked at: on most days the exchange
 * publishes none.
 */
export function turnsUp({ high, low, close }: SwingBars, bar: number, window: number): boolean {
  if (bar < window || !(close[bar]! > close[bar - 1]!)) return false;
  if (2 * close[bar]! < high[bar]! + low[bar]!) return false;
  return lowest(low, bar, LOW_WITHIN_BARS) <= lowest(low, bar, window);
}

/**
 * How far the volume of `bar` goes beyond the mean of its last 20 bars when it closes higher: 0 at the mean or on any
 * other bar, 1 from twice the mean on.
 */
export function volumeOfRise(close: Float64Array, volume: Float64Array, bar: number): number {
  if (bar < VOLUME_BARS - 1 || !(close[bar]! > close[bar - 1]!)) return 0;
  let sum = 0;
  for (let i = bar - VOLUME_BARS + 1; i <= bar; i++) sum += volume[i]!;
  return Math.min(1, Math.max(0, (volume[bar]! * VOLUME_BARS) / sum - 1));
}

function lowest(low: Float64Array, bar: number, bars: number): number {
  let least = Infinity;
  for (let i = bar - bars + 1; i <= bar; i++) if (low[i]! < least) least = low[i]!;
  return least;
}
