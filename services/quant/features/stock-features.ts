import type { StockFeature } from './definitions.ts';
import { MONEY_FEATURES } from './money-features.ts';
import { PRICE_FEATURES } from './price-features.ts';
import { VOLATILITY_FEATURES } from './volatility-features.ts';
import { VOLUME_FEATURES } from './volume-features.ts';

/** In the order of the columns of a feature table. */
export const STOCK_FEATURES: readonly StockFeature[] = [
  ...PRICE_FEATURES,
  ...VOLATILITY_FEATURES,
  ...VOLUME_FEATURES,
  ...MONEY_FEATURES,
];
