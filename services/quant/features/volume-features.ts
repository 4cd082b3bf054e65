import { rollingCorrelation } from '../indicators/rolling-correlation.ts';
import { rollingStdDev } from '../indicators/rolling-std-dev.ts';
import { sma } from '../indicators/sma.ts';
import type { StockFeature } from './definitions.ts';
import { ratio } from './stock-bars.ts';

/** How much changes hands on a bar, and whether that goes with the price. */
export const VOLUME_FEATURES: readonly StockFeature[] = [
  {
    name: 'volume_20',
    formula: 'volume / mean(volume, 20)',
    source: 'qlib Alpha158 VMA20, inverted',
    of: ({ volume, meanVolume }) => ratio(volume, meanVolume),
  },
  {
    name: 'volume_std_20',
    formula: 'std(volume, 20) / mean(volume, 20)',
    source: 'qlib Alpha158 VSTD20, over the mean',
    of: ({ volume, meanVolume }) => ratio(rollingStdDev(volume, 20, 1), meanVolume),
  },
  {
    name: 'weighted_volatility_20',
    formula: 'std(|log return| × volume, 20) / mean(|log return| × volume, 20)',
    source: 'qlib Alpha158 WVMA20',
    of: (stock) => {
      const weighted = stock.map((bar) => Math.abs(stock.returns[bar]!) * stock.volume[bar]!);
      return ratio(rollingStdDev(weighted, 20, 1), sma(weighted, 20));
    },
  },
  {
    name: 'price_volume_corr_20',
    formula: 'correlation of close and log volume over 20 bars',
    source: 'qlib Alpha158 CORR20',
    of: (stock) => {
      const logVolume = stock.map((bar) => Math.log(stock.volume[bar]!));
      return rollingCorrelation(stock.close, logVolume, 20);
    },
  },
];
