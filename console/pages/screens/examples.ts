/** Rules to begin with, by the name of their words. */
export const EXAMPLES = {
  oversold: 'rsi_14 < 35 and foreign_net_20d_idr > 0 and is_liquid sort by foreign_net_20d_pct desc',
  breakout: 'dist_high_52w_pct > -2% and volume_ratio_20 > 1.5 and is_liquid sort by volume_ratio_20 desc',
  accumulation:
    'bandar_streak_days >= 3 and retail_net_20d_idr < 0 and is_liquid sort by bandar_net_20d_idr desc',
  pullback: 'close > sma_200 and rsi_5 < 40 and is_liquid sort by value_20d desc',
} as const;
