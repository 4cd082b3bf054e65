import type { FeatureTable } from '#quant/features/feature-table.ts';
import type { BoostingParameters } from '#quant/learning/boosting/trainer.ts';
import type { ModelQuality } from '#quant/learning/validation/model-quality.ts';
import { superiorityOver } from '#quant/learning/validation/superiority.ts';

import type { TwoClassModel } from '../reasons/contribution-lines.ts';
import type { Origin } from './result.ts';

export type { ModelQuality };

/** What a screen wants to learn: which names reach the target before the stop. */
export interface LearningRequest {
  modelId: string;
  /** Version of the method, part of the fingerprint. */
  version: string;
  analysisDate: string;
  /** Fractions of the close of the analysed day. */
  targetGain: number;
  stopLoss: number;
  /** Trading days after which a position is given up. */
  horizonDays: number;
  /** Trading days learnt from. */
  trainDays: number;
  /** Columns beside those of the feature table. */
  extraFeatures?: ExtraFeatures;
  parameters?: Partial<BoostingParameters>;
}

/** Features that depend on the parameters of a run. Every value must be finite and know nothing after its row's day. */
export interface ExtraFeatures {
  names: readonly string[];
  /** Says by which settings they come; what is learnt from others without a key is never used again. */
  key?: string;
  /** Writes the features of these rows of the feature table, one array a name. */
  read: (rows: Uint32Array, out: readonly Float32Array[]) => void;
}

/** A name of the analysed day. Floors of price and value are the screen's. */
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
  /** Share of winners that `probability` compares it with: the base rate of the training window, 0 to 1. */
  baseRate: number;
  /** Probability of superiority over twenty trades at the base rate, in percent with one decimal. */
  probability: number;
}

/** A forecast of a past day by a model that had not seen that day nor any whose outcome reaches into it. */
export interface PastForecast extends ScoredStock {
  day: number;
  /** Whether the next day offered a chance to buy; nothing came of it otherwise. */
  filled: boolean;
  /** What came of it, after costs: a fraction of what was paid. */
  netReturn: number;
  /** Whether the target came first. */
  won: boolean;
}

/** A learnt model as it is kept beside the result. */
export interface LearntModel {
  /** The graph, with its feature names, training window, dataset version, seed and fingerprint in its metadata. */
  onnx: Uint8Array;
  /** SHA-256 over everything the result depends on, in hex. */
  fingerprint: string;
}

/** The market of one day, scored by a model learnt for it. */
export interface LearntMarket {
  /** Calendar index of the analysed day. */
  day: number;
  /** The same as YYYY-MM-DD. */
  asOf: string;
  /** Every name that a reader could buy, of any price and value; ascending by code. */
  stocks: readonly ScoredStock[];
  past: readonly PastForecast[];
  /** Share of the rows that chances were calibrated on whose target came before the stop. */
  baseRate: number;
  model: LearntModel;
  /** What gives the chances: their contributions are read from it. */
  learnt: TwoClassModel;
  /** What `diag.model` of the full view says: fingerprint, training window, features, out-of-fold scores. */
  description: Record<string, unknown>;
  /** Whether this run learnt it. */
  origin?: Origin;
  /** Of what a run would have picked of the past forecasts of each day. */
  quality: (picksOf: PicksOf<PastForecast>) => ModelQuality;
}

/** Turns rows of the feature table, with the chances that a model gives them, into scored names. */
export function stocksAt(
  table: FeatureTable,
  baseRate: number,
): (row: number, chance: number) => ScoredStock {
  const { tickers, close } = table.panel.columns;
  const superiority = superiorityOver(baseRate);
  return (row, chance) => {
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
      baseRate,
      probability: superiority(chance),
    };
  };
}

/**
 * What a run would have picked of the names of one day (calendar index), by its own filters, in its own order and no more
 * than it may. Names are identified by their row of the feature table.
 */
export type PicksOf<Name> = (ofDay: readonly Name[], day: number) => readonly { row: number }[];

/** The names of past days that a run would have picked on their own day. */
export function bestOfEachDay<Name extends { row: number; day: number }>(
  past: readonly Name[],
  picksOf: PicksOf<Name>,
): Name[] {
  const days = Map.groupBy(past, ({ day }) => day);
  return [...days].flatMap(([day, ofDay]) => {
    const picked = new Set(picksOf(ofDay, day).map(({ row }) => row));
    return ofDay.filter(({ row }) => picked.has(row));
  });
}
