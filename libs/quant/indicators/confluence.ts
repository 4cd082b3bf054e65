import { macd, stochastic } from './oscillators.ts';
import { sma, volumeRatio } from './moving-averages.ts';
import { ROUNDING } from '../price-move.ts';
import type { RowRange } from '../panel/ranges.ts';
import { withoutMixed } from '../panel/unknown-shares.ts';

/** The four signals of model D, in the order of their bits. */
export const CONFLUENCE_SIGNALS = ['stochastic', 'macd', 'ma_cross', 'volume'] as const;
export type ConfluenceSignal = (typeof CONFLUENCE_SIGNALS)[number];

const OVERSOLD_K = 30;
const DEFAULT_VOLUME_RATIO_MIN = 1.5;

/** Adjusted bars; all arrays have the same length. See TradedSeries. */
export interface PriceVolumeBars {
  high: Float64Array;
  low: Float64Array;
  close: Float64Array;
  volume: Float64Array;
  unknown?: readonly RowRange[];
}

/** Signals of every bar of a series, computed once so that many days can be read. */
export interface ConfluenceSeries {
  /** Bit i is set on the bar where CONFLUENCE_SIGNALS[i] fired. */
  bits: Uint8Array;
  /** Volume / its 20-bar average. */
  volumeRatio: Float64Array;
}

/** The signals that fired in the lookback window that ends at one bar. */
export interface ConfluenceReading {
  /** How many of the four signals fired, 0..4. */
  count: number;
  /** Bars since each signal last fired (0 = on this bar); null when it did not fire. */
  barsAgo: Record<ConfluenceSignal, number | null>;
  /** Ratio of the bar where the volume signal fired, otherwise of the last bar; NaN while warming up. */
  volumeRatio: number;
}

/**
 * Bars on which each signal fires:
 * - stochastic: slow %K(14,3,3) crosses above %D, %K having been below 30 on the bar before;
 * - macd: the MACD(12,26,9) histogram turns positive;
 * - ma_cross: SMA5 crosses above SMA20;
 * - volume: volume >= `volumeRatioMin` × its 20-bar average on a bar that closes higher.
 * A signal cannot fire before its indicator is defined on this bar and the one before.
 */
export function confluenceSeries(
  bars: PriceVolumeBars,
  volumeRatioMin = DEFAULT_VOLUME_RATIO_MIN,
): ConfluenceSeries {
  const { close } = bars;
  const { k, d } = stochastic(bars.high, bars.low, close);
  const { histogram } = macd(close);
  const [ma5, ma20] = [sma(close, 5), sma(close, 20)];
  const ratio = withoutMixed(volumeRatio(bars.volume, 20), bars.unknown ?? [], 20);
  const bits = new Uint8Array(close.length);
  for (let i = 1; i < close.length; i++) {
    const priceTolerance = close[i]! * ROUNDING;
    const oversold = k[i - 1]! < OVERSOLD_K;
    if (oversold && turnsPositive(k[i - 1]! - d[i - 1]!, k[i]! - d[i]!, ROUNDING)) bits[i]! |= 1;
    if (turnsPositive(histogram[i - 1]!, histogram[i]!, priceTolerance)) bits[i]! |= 2;
    if (turnsPositive(ma5[i - 1]! - ma20[i - 1]!, ma5[i]! - ma20[i]!, priceTolerance)) bits[i]! |= 4;
    if (ratio[i]! >= volumeRatioMin && close[i]! > close[i - 1]! + priceTolerance) bits[i]! |= 8;
  }
  return { bits, volumeRatio: ratio };
}

/** False when either side is NaN. */
function turnsPositive(before: number, now: number, tolerance: number): boolean {
  return before <= tolerance && now > tolerance;
}

/** The signals that fired on the `lookback` bars ending at `bar` (an index). A lookback of 1 reads only that bar. */
export function readConfluence(series: ConfluenceSeries, bar: number, lookback: number): ConfluenceReading {
  const barsAgo: ConfluenceReading['barsAgo'] = {
    stochastic: null,
    macd: null,
    ma_cross: null,
    volume: null,
  };
  let count = 0;
  CONFLUENCE_SIGNALS.forEach((signal, bit) => {
    const ago = lastFired(series.bits, 1 << bit, bar, lookback);
    barsAgo[signal] = ago;
    if (ago !== null) count++;
  });
  return { count, barsAgo, volumeRatio: series.volumeRatio[bar - (barsAgo.volume ?? 0)] ?? NaN };
}

function lastFired(bits: Uint8Array, mask: number, bar: number, lookback: number): number | null {
  const furthest = Math.min(lookback - 1, bar);
  for (let ago = 0; ago <= furthest; ago++) if ((bits[bar - ago]! & mask) !== 0) return ago;
  return null;
}
