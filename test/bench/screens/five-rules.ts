/** Rules of every usual kind: another field, a bound, a rank, a change and a ratio, with an order and a limit. */
export const FIVE_RULES =
  'close > sma_50 and rsi_14 < 70 and rank(value_20d) <= 200 and change(close, 5d) > 0% and volume_ratio_20 > 1 ' +
  'sort by value_20d desc limit 20';
