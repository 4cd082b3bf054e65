import type { FeatureTable } from '#quant/features/feature-table.ts';
import { balancedProbability } from '#quant/model-quality/balanced-probability.ts';
import type { ScoredStock } from './learnt-market.ts';

/** A row of the feature table with the chance that a model gives it. */
export function stockOf(table: FeatureTable, row: number, chance: number, baseRate: number): ScoredStock {
  const { tickers, close } = table.panel.columns;
  const panelRow = table.columns.panelRow[row]!;
  const ticker = table.columns.ticker[row]!;
  return {
    row,
    panelRow,
    ticker,
    code: tickers[ticker]!,
    close: close[panelRow]!,
    averageValue: table.columns.averageValue[row]!,
    chance,
    probability: balancedProbability(chance, baseRate),
  };
}
