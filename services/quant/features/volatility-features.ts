import { atr } from '../indicators/atr.ts';
import { rollingStdDev } from '../indicators/rolling-std-dev.ts';
import type { StockFeature } from './definitions.ts';
import { ratio } from './stock-bars.ts';

/** How far the price moves, and how far it may on the day. */
export const VOLATILITY_FEATURES: readonly StockFeature[] = [
  {
    name: 'range_1',
    formula: '(high - low) / close',
    source: 'qlib Alpha158 KLEN, over the close: opens are not known',
    of: (stock) => stock.map((bar) => (stock.high[bar]! - stock.low[bar]!) / stock.close[bar]!),
  },
  {
    name: 'atr_14',
    formula: 'atr(14) / close',
    source: 'Wilder 1978',
    of: ({ high, low, close }) => ratio(atr(high, low, close), close),
  },
  {
    name: 'std_20',
    formula: 'std(close, 20) / close',
    source: 'qlib Alpha158 STD20',
    of: ({ close, closeDeviation }) => ratio(closeDeviation, close),
  },
  {
    name: 'volatility_60',
    formula: 'std(log return, 60)',
    source: 'Ang, Hodrick, Xing & Zhang 2006: total volatility',
    of: ({ returns }) => rollingStdDev(returns, 60, 1),
  },
  {
    name: 'upper_limit_gap',
    formula: 'upper auto-rejection limit of the day / close',
    source: 'IDX decrees on auto rejection',
    of: (stock) => stock.map((_, row) => stock.limitsOf(row).upper / stock.panel.columns.close[row]!),
  },
  {
    name: 'lower_limit_gap',
    formula: 'lower auto-rejection limit of the day / close',
    source: 'IDX decrees on auto rejection',
    of: (stock) => stock.map((_, row) => stock.limitsOf(row).lower / stock.panel.columns.close[row]!),
  },
];
