import type { FeatureTable } from '#quant/features/feature-table.ts';
import { FeatureMatrix } from '#quant/learning/matrix/feature-matrix.ts';
import type { DailyVolatility } from '#quant/recovery/daily-volatility.ts';

/**
 * What the forecast looks at in the feature table. Features of the market are left out: within the training window it
 * was in few states, and a model of five classes learns those by heart: on real bars they cost 0.2 to 0.6 points of
 * Brier skill, of four.
 */
const RANKS = [
  ...['roc_5', 'roc_20', 'roc_60', 'max_60', 'min_60', 'range_1', 'atr_14', 'volatility_60'],
  ...['average_value_20', 'turnover_20', 'capitalisation', 'foreign_net_20'],
];

/** Windows in bars. The buckets have fixed bounds, so how far a stock moves counts, and not its rank alone. */
const VOLATILITY_BARS = [5, 20, 60, 250];

/** Ranks of the table, then the logarithm of the daily volatility of each window. */
export function recoveryMatrix(
  table: FeatureTable,
  rows: Uint32Array,
  volatility: DailyVolatility,
): FeatureMatrix {
  const names = [...RANKS, ...VOLATILITY_BARS.map((bars) => `log_volatility_${bars}`)];
  const matrix = new FeatureMatrix(names, rows.length);
  for (const [column, name] of RANKS.entries()) {
    table.read(table.feature(name), rows, matrix.column(column));
  }
  const { ticker, panelRow } = table.columns;
  for (const [i, bars] of VOLATILITY_BARS.entries()) {
    const column = matrix.column(RANKS.length + i);
    for (const [at, row] of rows.entries()) {
      column[at] = Math.log(volatility.of(ticker[row]!, panelRow[row]!, bars));
    }
  }
  return matrix;
}
