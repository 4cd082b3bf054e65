import { wilder, sma, ema } from './moving-averages.ts';
import { rollingMax, rollingMin } from './rolling.ts';
import { priceMove, ROUNDING } from '../price-move.ts';

/**
 * Wilder's relative strength index of closes, 0..100: 100 - 100 / (1 + average gain / average loss), both averages smoothed
 * by Wilder's method. NaN for the first `period` bars. When the price never moved, gain and loss are both zero and the index
 * is 50.
 */
export function rsi(close: Float64Array, period = 14): Float64Array {
  const gain = new Float64Array(close.length).fill(NaN);
  const loss = new Float64Array(close.length).fill(NaN);
  for (let i = 1; i < close.length; i++) {
    const change = priceMove(close[i - 1]!, close[i]!);
    gain[i] = Math.max(change, 0);
    loss[i] = Math.max(-change, 0);
  }
  const averageGain = wilder(gain, period);
  const averageLoss = wilder(loss, period);
  const index = new Float64Array(close.length);
  for (let i = 0; i < close.length; i++) {
    const total = averageGain[i]! + averageLoss[i]!;
    index[i] = total === 0 ? 50 : (100 * averageGain[i]!) / total;
  }
  return index;
}

/** Both lines are 0..100 and as long as the input. */
interface Stochastic {
  k: Float64Array;
  d: Float64Array;
}

/**
 * Lane's slow stochastic: %K = SMA over 3 of 100 × (close - lowest low) / (highest high - lowest low) of the last 14 bars; %D =
 * SMA of %K over 3. NaN for the first 15 bars (%K), and for 2 more (%D). A window whose highest high equals its lowest low counts
 * as 50.
 */
export function stochastic(high: Float64Array, low: Float64Array, close: Float64Array): Stochastic {
  const highest = rollingMax(high, 14);
  const lowest = rollingMin(low, 14);
  const position = new Float64Array(close.length);
  for (let i = 0; i < close.length; i++) {
    const range = priceMove(lowest[i]!, highest[i]!);
    position[i] = range === 0 ? 50 : (100 * (close[i]! - lowest[i]!)) / range;
  }
  const k = sma(position, 3);
  return { k, d: sma(k, 3) };
}

/** All three are in the unit of the price and as long as the input. */
interface Macd {
  macd: Float64Array;
  signal: Float64Array;
  histogram: Float64Array;
}

/**
 * Appel's moving average convergence divergence of closes: macd = EMA(12) - EMA(26), signal = EMA(9) of macd, histogram = macd -
 * signal. NaN for the first 25 bars (macd) and 33 bars (the other two).
 */
export function macd(close: Float64Array): Macd {
  const line = withoutRounding(difference(ema(close, 12), ema(close, 26)), close);
  const signalLine = withoutRounding(ema(line, 9), close);
  return { macd: line, signal: signalLine, histogram: withoutRounding(difference(line, signalLine), close) };
}

function difference(left: Float64Array, right: Float64Array): Float64Array {
  const out = new Float64Array(left.length);
  for (let i = 0; i < left.length; i++) out[i] = left[i]! - right[i]!;
  return out;
}

/** Sets values to 0 where they are no more than rounding of the price. */
function withoutRounding(values: Float64Array, close: Float64Array): Float64Array {
  for (let i = 0; i < values.length; i++) if (Math.abs(values[i]!) <= ROUNDING * close[i]!) values[i] = 0;
  return values;
}
