/**
 * Computed features of one ticker on one day. Prices and values in IDR, `_pct` in percent, null where
 * undefined (too little history, or no source for it in the dataset).
 */
export type SnapshotFeatures = PriceFeatures & MoneyFeatures & BrokerFeatures;

/** From traded bars, adjusted to the as-of day: "20" means 20 days on which the ticker traded. */
export interface PriceFeatures {
  ma5: number | null;
  ma10: number | null;
  ma20: number | null;
  ma50: number | null;
  ma200: number | null;
  /** Close against its average: 100 × (close / ma - 1). */
  dist_ma20_pct: number | null;
  dist_ma50_pct: number | null;
  rsi14: number | null;
  stoch_k: number | null;
  stoch_d: number | null;
  macd: number | null;
  macd_signal: number | null;
  macd_hist: number | null;
  bb_upper: number | null;
  bb_lower: number | null;
  /** 100 × (upper - lower) / middle. */
  bb_width_pct: number | null;
  atr14: number | null;
  /** ATR in percent of the close. */
  atr14_pct: number | null;
  /** Annualised, from 20 daily log returns. */
  volatility20_pct: number | null;
  ret_1d_pct: number | null;
  ret_5d_pct: number | null;
  ret_20d_pct: number | null;
  /** Highest high and lowest low of the last 364 calendar days, or since the listing. */
  high_52w: number | null;
  low_52w: number | null;
  /** 100 × (close / high_52w - 1): 0 at the high, negative below. */
  dist_52w_high_pct: number | null;
  /** Volume of the last traded bar / average of the last 5 (20), itself included. */
  volume_ratio_5: number | null;
  volume_ratio_20: number | null;
  /** How many of the four model D signals fired within 5 bars, 0..4. */
  confluence_signals: number | null;
}

/** Sums and averages over the last days of the exchange, whether or not the ticker traded. */
export interface MoneyFeatures {
  avg_value_20d: number | null;
  foreign_net_value_1d: number | null;
  foreign_net_value_5d: number | null;
  foreign_net_value_20d: number | null;
  nego_value_5d: number | null;
}

/** What only per-broker rows can tell; null for a dataset without them. */
export interface BrokerFeatures {
  bandar_net_value_1d: number | null;
  bandar_net_value_5d: number | null;
  bandar_net_value_20d: number | null;
  retail_net_value_1d: number | null;
  retail_net_value_5d: number | null;
  smart_money_divergence: number | null;
  top5_buyer_share_pct: number | null;
  accum_score: number | null;
}

/** Of a dataset without per-broker rows. */
export const NO_BROKER_FEATURES: Readonly<BrokerFeatures> = {
  bandar_net_value_1d: null,
  bandar_net_value_5d: null,
  bandar_net_value_20d: null,
  retail_net_value_1d: null,
  retail_net_value_5d: null,
  smart_money_divergence: null,
  top5_buyer_share_pct: null,
  accum_score: null,
};

/** Before the listing. */
export const NO_MONEY_FEATURES: Readonly<MoneyFeatures> = {
  avg_value_20d: null,
  foreign_net_value_1d: null,
  foreign_net_value_5d: null,
  foreign_net_value_20d: null,
  nego_value_5d: null,
};
