import type { FeatureTable } from '#quant/features/feature-table.ts';
import { rounded } from '../display.ts';
import type { ExtraFeatures, ScoredStock } from './learnt-market.ts';
import { featureMatrix } from './training.ts';

const DECIMALS = 4;

/** Every column that a model rests on, by its name, one record a pick and in their order. */
export function pickFeatures(
  table: FeatureTable,
  picks: readonly Pick<ScoredStock, 'row'>[],
  extra?: ExtraFeatures,
): Record<string, number>[] {
  // Extra features are read in the order of the table.
  const rows = Uint32Array.from(picks, ({ row }) => row).sort();
  const matrix = featureMatrix(table, rows, extra);
  return picks.map(({ row }) => {
    const at = rows.indexOf(row);
    const columns = matrix.names.map((name, i) => [name, rounded(matrix.column(i)[at]!, DECIMALS)] as const);
    return Object.fromEntries(columns);
  });
}
