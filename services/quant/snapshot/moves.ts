import type { SnapshotFeatures } from './snapshot-features.ts';

/**
 * Features that say how price or volume moved up to the last trade. The others are levels, which stay as they are until
 * the next trade, or sums of money over days of the exchange, which count days without trades.
 */
const MOVES = [
  'dist_ma20_pct',
  'dist_ma50_pct',
  'rsi14',
  'stoch_k',
  'stoch_d',
  'macd',
  'macd_signal',
  'macd_hist',
  'volatility20_pct',
  'ret_1d_pct',
  'ret_5d_pct',
  'ret_20d_pct',
  'volume_ratio_5',
  'volume_ratio_20',
  'smart_money_divergence',
  'confluence_signals',
] as const satisfies (keyof SnapshotFeatures)[];

/**
 * Features of a stock that has not traded since they were made: its moves are null, because read as those of today
 * they mislead. A stock that was suspended after it rose fivefold would rank first for as long as it is suspended.
 */
export function withoutMoves(features: SnapshotFeatures): SnapshotFeatures {
  return { ...features, ...Object.fromEntries(MOVES.map((name) => [name, null])) };
}
