import type { BoostingParameters } from '#quant/learning/boosting/parameters.ts';
import type { ModelQuality } from '#quant/model-quality/model-quality.ts';
import type { LearntModel, ScreenInput } from '../screen.ts';
import type { PicksOf } from './best-of-each-day.ts';

export type { ModelQuality };

/** What a screen wants to learn: which names reach the target before the stop. */
export interface LearningWish {
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
  /** The same, balanced by the base rate, in percent with one decimal: 50 is as likely as the average name. */
  probability: number;
}

/** A forecast of a past day by a model that had not seen that day nor any whose outcome reaches into it. */
export interface PastForecast extends ScoredStock {
  day: number;
  /** What came of it, after costs: a fraction of the entry. */
  netReturn: number;
  /** Whether the target came first. */
  won: boolean;
}

/** The market of one day, scored by a model learnt for it. */
export interface LearntMarket {
  /** Calendar index of the analysed day. */
  day: number;
  /** The same as YYYY-MM-DD. */
  asOf: string;
  /** Every name that could be dealt in, of any price and value; ascending by code. */
  stocks: readonly ScoredStock[];
  past: readonly PastForecast[];
  /** Share of the rows that chances were calibrated on whose target came before the stop. */
  baseRate: number;
  model: LearntModel;
  /** What `diag.model` of the full view says: fingerprint, training window, features, out-of-fold scores. */
  description: Record<string, unknown>;
  /** Of what a run would have picked of the past forecasts of each day. */
  quality: (picksOf: PicksOf<PastForecast>) => ModelQuality;
}

/** @throws RunFailure when the days before the analysed one are too few to learn from. */
export type LearnMarket = (input: ScreenInput, wish: LearningWish) => Promise<LearntMarket>;
