import type { Calibration } from '#quant/learning/calibration/calibration.ts';
import type { TreeEnsemble } from '#quant/learning/tree-ensemble.ts';
import type { KeptFigures, LearningRequest } from './trained-market.ts';
import { canonicalJson } from '#foundation/text/canonical-json.ts';
import type { OutOfFold } from './result.ts';
import { BINNING, BOOSTING, DAYS_APART } from './training.ts';

/** Cached models of earlier runs of this worker or another, keyed by what they were trained on. */
export interface ModelCache {
  find: <L extends CachedModel>(key: string) => Promise<L | undefined>;
  keep: (key: string, cachedModel: CachedModel) => void;
}

/**
 * What was trained, independent of the filters of the run that trained it. It consists only of plain data and typed arrays,
 * because workers exchange cached models in V8's serialisation format.
 */
export interface CachedModel {
  ensemble: TreeEnsemble;
  calibration: Calibration;
  /** Number of trees per class. */
  rounds: number;
  /** First and last calendar day trained on, and the number of rows. */
  window: { firstDay: number; lastDay: number; rows: number };
  /** SHA-256, in hex, over every number that it was trained on. */
  digest: string;
}

/** Cached model of a model that forecasts whether the target comes before the stop. Rows are those of the feature table. */
export interface CachedMarketModel extends CachedModel {
  baseRate: number;
  outOfFold: OutOfFold;
  /** The names of the analysed day: what the model read of them, one feature after the other, and what it said. */
  stocks: { row: Uint32Array; features: Float32Array<ArrayBuffer>; chance: Float32Array };
  past: PastColumns;
  /** What the model's screen needs of its names beside their chances. */
  kept: KeptFigures;
}

/** Forecasts of past days, one entry per forecast. */
export interface PastColumns {
  row: Uint32Array;
  chance: Float32Array;
  /** The base rate that its probability compares it with. */
  baseRate: Float64Array;
  /** In tenths of a percent. */
  probability: Uint16Array;
  filled: Uint8Array;
  won: Uint8Array;
  netReturn: Float64Array;
}

/** Increase this when the same settings give another cached model: another feature, label or training method. */
const FORMAT = 7;

/**
 * A key of everything that a cached model depends on. A dataset version never changes, so its name and the settings identify the
 * exact numbers. Undefined if the run's own features have no key, so that such cached models are never reused.
 */
export function modelCacheKey(
  { dataset }: { dataset: { version: string } },
  request: LearningRequest,
  day: number,
): string | undefined {
  const { modelId, version, targetGain, stopLoss, horizonDays, trainDays, extraFeatures } = request;
  if (extraFeatures && extraFeatures.key === undefined) return undefined;
  return canonicalJson({
    format: FORMAT,
    dataset: dataset.version,
    day,
    modelId,
    version,
    targetGain,
    stopLoss,
    horizonDays,
    trainDays,
    daysApart: DAYS_APART,
    binning: BINNING,
    boosting: BOOSTING,
    extra: extraFeatures?.key ?? '',
  });
}

/** Approximate memory of a cached model in bytes: its arrays, which are most of it. */
export function bytesOf(part: unknown): number {
  if (ArrayBuffer.isView(part)) return part.byteLength;
  if (typeof part !== 'object' || part === null) return 0;
  return Object.values(part).reduce<number>((sum, each) => sum + bytesOf(each), 0);
}
