import type { FeatureTable } from '#quant/features/feature-table.ts';
import { isBuyable } from '../learnt/buyable.ts';
import type { ExtraFeatures, ScoredStock } from '../learnt/learnt-market.ts';
import { featureMatrix } from '../learnt/training.ts';
import type { TwoClassModel } from '../reasons/contribution-lines.ts';
import type { ScoredNames } from './run-explanation.ts';

/** The rows by which names were scored; `stocks` in the order of the explanation's names. */
export function scoredNames(
  learnt: TwoClassModel,
  table: FeatureTable,
  stocks: readonly ScoredStock[],
  extra?: ExtraFeatures,
): ScoredNames {
  const rows = Uint32Array.from(stocks, ({ row }) => row);
  const matrix = featureMatrix(table, rows, extra);
  return {
    ensemble: learnt.ensemble,
    calibration: learnt.calibration,
    features: matrix.names,
    values: matrix.values,
    baseRate: stocks[0]?.baseRate ?? 0,
    chance: Float32Array.from(stocks, ({ chance }) => chance),
    probability: Float64Array.from(stocks, ({ probability }) => probability),
  };
}

/** Names of a day (calendar index) that could be dealt in, had anyone sold them. */
export function unbuyableNames(table: FeatureTable, day: number): string[] {
  const { from, to } = table.rowsOf(day);
  const { tickers } = table.panel.columns;
  return Array.from({ length: to - from }, (_, i) => from + i)
    .filter((row) => !isBuyable(table, row))
    .map((row) => tickers[table.columns.ticker[row]!]!);
}
