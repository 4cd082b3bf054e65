import type { FeatureTable } from '#quant/features/feature-table.ts';
import type { FeatureMatrix } from '#quant/learning/feature-matrix.ts';
import type { ModelQuality } from '#quant/learning/validation/model-quality.ts';
import { superiorityOver } from '#quant/learning/validation/superiority.ts';

import type { Localised } from '#foundation/text/localised.ts';
import type { TwoClassModel } from '../reasons/contribution-lines.ts';
import type { Origin } from './result.ts';

export type { ModelQuality };

/** What a screen asks to learn: which names reach the target before the stop. */
export interface LearningRequest {
  modelId: string;
  /** Version of the method, part of the fingerprint. */
  version: string;
  analysisDate: string;
  /** Trading days needed up to and including the analysed day. */
  leastDays: number;
  /** Fractions of the close of the analysed day. */
  targetGain: number;
  stopLoss: number;
  /** Trading days after which a position is closed. */
  horizonDays: number;
  /** Trading days trained on. */
  trainDays: number;
  /** Columns beside those of the feature table. */
  extraFeatures?: ExtraFeatures;
  /** Reads what is only needed to learn. Called before anything else of the request is used for that. */
  beforeLearning?: () => Promise<void>;
  /** Figures of these rows of the feature table that the screen needs beside their chances, kept with the model. */
  figuresOf?: (rows: Uint32Array) => NameFigures;
  /** Facts about the training data, stored with the model. */
  facts?: () => Record<string, number>;
}

/** Columns by name, one entry for each row that they were computed for. */
export type NameFigures = Readonly<Record<string, Float64Array | Uint8Array>>;

/** What a screen has kept with a model, computed when it was trained. */
export interface KeptFigures {
  /** Figures of the names of the analysed day and of the past forecasts, each in their order. */
  stocks: NameFigures;
  past: NameFigures;
  facts: Readonly<Record<string, number>>;
}

/** The names that figures were kept for. */
interface NamesWithFigures {
  stocks: readonly { row: number }[];
  past: readonly { row: number }[];
  kept: KeptFigures;
}

/** One of the kept figures, of the names of the analysed day and of the past forecasts, by row of the feature table. */
export function keptByRow({ stocks, past, kept }: NamesWithFigures, name: string): Map<number, number> {
  const figures = new Map<number, number>();
  for (const [i, { row }] of past.entries()) figures.set(row, kept.past[name]![i]!);
  for (const [i, { row }] of stocks.entries()) figures.set(row, kept.stocks[name]![i]!);
  return figures;
}

/** Features that depend on the parameters of a run. Every value must be finite and use no data after its row's day. */
export interface ExtraFeatures {
  names: readonly string[];
  /** Identifies the settings behind the features. Without a key, what is trained on them is never reused. */
  key?: string;
  /** Writes the features of these rows of the feature table, one array per name. */
  read: (rows: Uint32Array, out: readonly Float32Array[]) => void;
}

export type FeaturesOf = (rows: Uint32Array) => FeatureMatrix;

/** A name of the analysed day. The screen applies the floors of price and value. */
export interface ScoredStock {
  /** Row of the feature table. */
  row: number;
  /** Row of the panel. */
  panelRow: number;
  ticker: number;
  code: string;
  /** IDR. */
  close: number;
  /** Mean of the last 20 exchange days, IDR. */
  averageValue: number;
  /** Calibrated probability, 0 to 1, that the target is reached before the stop within the horizon. */
  chance: number;
  /** The share of winners, 0 to 1, in the rows that chances were calibrated on: what `probability` compares the chance with. */
  baseRate: number;
  /** Probability of superiority over twenty trades at the base rate, in percent with one decimal. */
  probability: number;
}

/** A forecast of a past day by a model that had seen neither that day nor any day whose outcome reaches into it. */
export interface PastForecast extends ScoredStock {
  day: number;
  /** Whether the order could be filled on the next day; if not, there is no outcome. */
  filled: boolean;
  /** Return after costs, as a fraction of the price paid. */
  netReturn: number;
  /** Whether the target was reached first. */
  won: boolean;
}

/** A trained model as it is stored with the result. */
export interface TrainedModel {
  /** The graph, with its feature names, training window, dataset version, seed and fingerprint in its metadata. */
  onnx: Uint8Array;
  /** SHA-256 over everything the result depends on, in hex. */
  fingerprint: string;
}

/** The market of one day, scored by a model trained for it. */
export interface TrainedMarket {
  /** Calendar index of the analysed day. */
  day: number;
  /** The same as YYYY-MM-DD. */
  asOf: string;
  /** Every name that a reader could buy, of any price and value; ascending by code. */
  stocks: readonly ScoredStock[];
  /** What the model reads of some of them, by their rows of the feature table. */
  featuresOf: FeaturesOf;
  past: readonly PastForecast[];
  /**
   * Weighted share of targets reached before the stop in the rows that chances were calibrated on. The share of the whole training
   * window would be no base rate for these chances: the average stock would not have a probability of 50.
   */
  baseRate: number;
  model: TrainedModel;
  /** The model behind the chances; their contributions are read from it. */
  trained: TwoClassModel;
  /** The content of `diag.model` in the full view: fingerprint, training window, features, out-of-fold scores. */
  description: Record<string, unknown>;
  /** The warning that the notice of a model begins with that was no better than guessing. */
  caution?: Localised;
  kept: KeptFigures;
  /** Whether this run trained it or reused it. */
  origin?: Origin;
  /** Quality of the picks that a run would have made among the past forecasts of each day. */
  quality: (picksOf: PicksOf<PastForecast>) => ModelQuality;
}

/** Turns rows of the feature table and their chances by a model into scored names. */
export function stocksAt(
  table: FeatureTable,
  baseRate: number,
): (row: number, chance: number) => ScoredStock {
  const { tickers, close } = table.panel.columns;
  const { panelRow: panelRows, ticker: tickerOf, averageValue } = table.columns;
  const superiority = superiorityOver(baseRate);
  return (row, chance) => {
    const panelRow = panelRows[row]!;
    const ticker = tickerOf[row]!;
    return {
      row,
      panelRow,
      ticker,
      code: tickers[ticker]!,
      close: close[panelRow]!,
      averageValue: averageValue[row]!,
      chance,
      baseRate,
      probability: superiority(chance),
    };
  };
}

/**
 * The names of one day (calendar index) that a run would have picked: filtered and ordered by its rules, at most as many as it
 * may pick. Names are identified by their row of the feature table.
 */
export type PicksOf<Name> = (ofDay: readonly Name[], day: number) => readonly { row: number }[];

/**
 * The names of past days that a run would have picked on that day.
 *
 * @param past those of a day follow each other
 */
export function bestOfEachDay<Name extends { row: number; day: number }>(
  past: readonly Name[],
  picksOf: PicksOf<Name>,
): Name[] {
  const best: Name[] = [];
  for (let from = 0, to = 0; from < past.length; from = to) {
    const { day } = past[from]!;
    while (to < past.length && past[to]!.day === day) to++;
    const ofDay = past.slice(from, to);
    const picked = new Set(picksOf(ofDay, day).map(({ row }) => row));
    best.push(...ofDay.filter(({ row }) => picked.has(row)));
  }
  return best;
}
