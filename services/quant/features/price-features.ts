import { macd } from '../indicators/macd.ts';
import { rollingMax, rollingMin } from '../indicators/rolling-extremes.ts';
import { rollingRegression } from '../indicators/rolling-regression.ts';
import { rsi } from '../indicators/rsi.ts';
import { sma } from '../indicators/sma.ts';
import type { StockFeature } from './definitions.ts';
import { ratio, type StockBars } from './stock-bars.ts';

/** A ratio and no return: 32 bits of it drop the rounding that would part prices that did not move. */
const change = (bars: number): StockFeature => ({
  name: `roc_${bars}`,
  formula: `close / close ${bars} bars before`,
  source: `qlib Alpha158 ROC${bars}, inverted`,
  of: ({ close }) => {
    const out = new Float64Array(close.length).fill(NaN);
    for (let bar = bars; bar < out.length; bar++) out[bar] = close[bar]! / close[bar - bars]!;
    return out;
  },
});

const aboveMean = (bars: number): StockFeature => ({
  name: `ma_${bars}`,
  formula: `close / mean(close, ${bars})`,
  source: `qlib Alpha158 MA${bars}, inverted`,
  of: ({ close }) => ratio(close, sma(close, bars)),
});

const belowHigh = (bars: number): StockFeature => ({
  name: `max_${bars}`,
  formula: `close / max(high, ${bars})`,
  source: `qlib Alpha158 MAX${bars}, inverted; George & Hwang 2004 with a year`,
  of: ({ high, close }) => ratio(close, rollingMax(high, bars)),
});

const aboveLow = (bars: number): StockFeature => ({
  name: `min_${bars}`,
  formula: `close / min(low, ${bars})`,
  source: `qlib Alpha158 MIN${bars}, inverted`,
  of: ({ low, close }) => ratio(close, rollingMin(low, bars)),
});

/** A smaller part of the price is what adjusting and adding up leave, not a move. */
const ROUNDING = 1e-9;

/** 0 at the lower bound, 1 at the upper one; between equal bounds there is no place but the middle. */
function placeBetween(lower: Float64Array, upper: Float64Array, { close }: StockBars): Float64Array {
  const out = new Float64Array(close.length);
  for (let bar = 0; bar < out.length; bar++) {
    const width = upper[bar]! - lower[bar]!;
    out[bar] = width === 0 ? 0.5 : (close[bar]! - lower[bar]!) / width;
  }
  return out;
}

/** Where the price stands against what it was. */
export const PRICE_FEATURES: readonly StockFeature[] = [
  ...[1, 5, 20, 60, 120].map(change),
  ...[5, 20, 50].map(aboveMean),
  belowHigh(60),
  aboveLow(60),
  {
    name: 'close_place',
    formula: '(close - low) / (high - low), 0.5 where these are equal',
    source: 'qlib Alpha158 KSFT, scaled by the range: opens are not known',
    of: (stock) => placeBetween(stock.low, stock.high, stock),
  },
  {
    name: 'bollinger_place',
    formula: '(close - mean(close, 20)) / std(close, 20), 0 where the price never moved',
    source: 'Bollinger 2001, %b up to a constant',
    of: (stock) => {
      const { close, meanClose, closeDeviation } = stock;
      return stock.map((bar) => {
        const deviation = closeDeviation[bar]!;
        return deviation <= close[bar]! * ROUNDING ? 0 : (close[bar]! - meanClose[bar]!) / deviation;
      });
    },
  },
  {
    name: 'rsi_14',
    formula: 'rsi(close, 14)',
    source: 'Wilder 1978',
    of: ({ close }) => rsi(close),
  },
  {
    name: 'macd_histogram',
    formula: 'histogram of macd(close, 12, 26, 9) / close',
    source: 'Appel 2005',
    of: ({ close }) => ratio(macd(close).histogram, close),
  },
  {
    name: 'rsqr_20',
    formula: 'share of the variance of 20 closes that a straight line explains',
    source: 'qlib Alpha158 RSQR20',
    of: ({ close }) => rollingRegression(close, 20).rSquared,
  },
  {
    name: 'rises_20',
    formula: 'share of the last 20 bars that closed above the bar before',
    source: 'qlib Alpha158 CNTP20',
    of: (stock) => {
      const { returns } = stock;
      return sma(
        stock.map((bar) => (bar === 0 ? NaN : returns[bar]! > ROUNDING ? 1 : 0)),
        20,
      );
    },
  },
];
