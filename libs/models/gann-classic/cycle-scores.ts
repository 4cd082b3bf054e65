import { CycleMarket, type CycleSettings } from '#quant/gann/cycle-market.ts';
import { emptyReading } from '#quant/gann/cycle-reading.ts';
import type { MarketSwings } from '#quant/gann/swings.ts';
import type { FeatureTable } from '#quant/features/feature-table.ts';
import { keptByRow, type NameFigures } from '../trained/trained-market.ts';
import type { GannDay, GannStock } from './day.ts';
import type { GannParams } from './params.ts';

/** The cycle score, 0 to 100, of a name of the analysed day or of a past one. */
export type ScoreOf = (stock: GannStock) => number;

export function cycleSettings({ cycles, cycle_tolerance, price_tolerance_pct }: GannParams): CycleSettings {
  return { cycles, cycleTolerance: cycle_tolerance, priceTolerancePct: price_tolerance_pct };
}

/** The scores of these rows of the feature table, kept with the model that was trained with the same settings. */
export function keptScores(
  swings: MarketSwings,
  params: GannParams,
  { columns }: FeatureTable,
  rows: Uint32Array,
): NameFigures {
  const scoreOf = readScores(swings, params);
  const ofRow = (row: number) => scoreOf({ ticker: columns.ticker[row]!, panelRow: columns.panelRow[row]! });
  return { cycleScore: Float64Array.from(rows, ofRow) };
}

/**
 * Scores by the settings of a run: those kept with its model, which a run with a cached model need not read again, or, without a
 * model, those that are read from `swings`, up to the analysed day.
 */
export function scoresOf(
  { stocks, past = [], kept }: GannDay,
  swings: MarketSwings,
): (params: GannParams) => ScoreOf {
  if (!kept) return (params) => readScores(swings, params);
  const scores = keptByRow({ stocks, past, kept }, 'cycleScore');
  return () =>
    ({ row }) =>
      scores.get(row)!;
}

/** Each is read once. */
function readScores(
  swings: MarketSwings,
  params: GannParams,
): (stock: Pick<GannStock, 'ticker' | 'panelRow'>) => number {
  const cycles = new CycleMarket(swings, cycleSettings(params));
  const reading = emptyReading();
  const known = new Map<number, number>();
  return ({ ticker, panelRow }) => {
    const score = known.get(panelRow);
    if (score !== undefined) return score;
    cycles.read(ticker, panelRow, reading);
    known.set(panelRow, reading.score);
    return reading.score;
  };
}
