import type { FeatureTable } from '#quant/features/feature-table.ts';
import { tripleBarrier } from '#quant/labels/triple-barrier.ts';
import { modelQuality } from '#quant/learning/validation/model-quality.ts';
import {
  bestOfEachDay,
  type FeaturesOf,
  type KeptFigures,
  type LearningRequest,
  type TrainedModel,
  type ModelQuality,
  type PicksOf,
  type ScoredStock,
} from '../trained/trained-market.ts';
import { buyableRows, isBuyable } from '../trained/buyable.ts';
import { featureMatrix, trainingRows } from '../trained/training.ts';
import { analysedDay } from '../inputs/run-failure.ts';
import type { ScreenInput } from '../model/screen.ts';
import type { Localised } from '#foundation/text/localised.ts';
import type { Origin } from '../trained/result.ts';
import type { TwoClassModel } from '../reasons/contribution-lines.ts';

/** A name of a day. Its chance is unknown if no model was trained. */
export type GannStock = Omit<ScoredStock, Learned> & Partial<Pick<ScoredStock, Learned>>;
type Learned = 'chance' | 'baseRate' | 'probability';

/** One day's market as the screen sees it, trained or not. A TrainedMarket is a GannDay. */
export interface GannDay {
  /** Calendar index of the analysed day. */
  day: number;
  /** The same as YYYY-MM-DD. */
  asOf: string;
  /** Every name that a reader could buy, of any price and value, ascending by code. */
  stocks: readonly GannStock[];
  /** Quality of the picks that a run would have made on each past day. */
  quality: (picksOf: PicksOf<GannStock>) => ModelQuality;
  /** The content of `diag.model`; null if no model was trained. */
  description: Record<string, unknown> | null;
  model?: TrainedModel;
  trained?: TwoClassModel;
  /** As in a TrainedMarket. */
  featuresOf: FeaturesOf;
  past?: readonly { row: number }[];
  /** What was kept with the model. */
  kept?: KeptFigures;
  /** The usual chance, 0 to 1, as in a TrainedMarket. */
  baseRate?: number;
  caution?: Localised;
  origin?: Origin;
}

/**
 * The market of a day without learning. Its quality is measured on the days, names and barriers that a model would learn from.
 * Nothing is fitted to them here, so all of them count as unseen.
 *
 * @throws RunFailure when the day is too early.
 */
export function untrainedDay(
  input: Pick<ScreenInput, 'panel' | 'features'>,
  request: Pick<
    LearningRequest,
    'analysisDate' | 'leastDays' | 'targetGain' | 'stopLoss' | 'horizonDays' | 'trainDays' | 'extraFeatures'
  >,
): GannDay {
  const day = analysedDay(input.panel, request.analysisDate, request.leastDays);
  const table = input.features();
  return {
    day,
    asOf: input.panel.columns.dates[day]!,
    stocks: Array.from(buyableRows(table, day), (row) => stockAt(table, row)),
    featuresOf: (rows) => featureMatrix(table, rows, request.extraFeatures),
    quality: (picksOf) => qualityOf(table, trainingRows(table, day, request), request, day, picksOf),
    description: null,
  };
}

function qualityOf(
  table: FeatureTable,
  rows: Uint32Array,
  request: Pick<LearningRequest, 'targetGain' | 'stopLoss' | 'horizonDays'>,
  day: number,
  picksOf: PicksOf<GannStock>,
): ModelQuality {
  const past = Array.from(
    rows.filter((row) => isBuyable(table, row)),
    (row) => ({ ...stockAt(table, row), day: table.dayOf(row) }),
  );
  const picked = bestOfEachDay(past, picksOf);
  const days = {
    ticker: picked.map(({ ticker }) => ticker),
    panelRow: picked.map(({ panelRow }) => panelRow),
  };
  const { filled, won, netReturn } = tripleBarrier(table.panel, days, request, day);
  return modelQuality(
    picked.map((_, i) => ({ filled: filled[i] === 1, won: won[i] === 1, netReturn: netReturn[i]! })),
  );
}

function stockAt(table: FeatureTable, row: number): GannStock {
  const { tickers, close } = table.panel.columns;
  const panelRow = table.columns.panelRow[row]!;
  const ticker = table.columns.ticker[row]!;
  const averageValue = table.columns.averageValue[row]!;
  return { row, panelRow, ticker, code: tickers[ticker]!, close: close[panelRow]!, averageValue };
}
