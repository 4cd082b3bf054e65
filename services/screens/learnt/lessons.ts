import type { Calibration } from '#quant/learning/calibration/calibration.ts';
import type { TreeEnsemble } from '#quant/learning/tree-ensemble.ts';
import type { ScreenInput } from '../screen.ts';
import type { LearningRequest } from './learnt-market.ts';
import { canonicalJson } from './provenance.ts';
import type { OutOfFold } from './result.ts';
import { BINNING, boostingOf } from './training.ts';

/** Lessons of earlier runs, by what they were learnt from. */
export interface Lessons {
  find: <L extends Lesson>(key: string) => L | undefined;
  /** @param bytes about how much memory it takes */
  keep: (key: string, lesson: Lesson, bytes: number) => void;
}

/** What was learnt, whatever the filters of the run that learnt it. */
export interface Lesson {
  ensemble: TreeEnsemble;
  calibration: Calibration;
  /** Trees of each class. */
  rounds: number;
  /** First and last calendar day learnt from, and how many rows. */
  window: { firstDay: number; lastDay: number; rows: number };
  /** SHA-256, in hex, over every number it was learnt from. */
  digest: string;
}

/** Of a model of whether the target comes before the stop. Rows are those of the feature table. */
export interface MarketLesson extends Lesson {
  baseRate: number;
  outOfFold: OutOfFold;
  stocks: { row: Uint32Array; chance: Float32Array };
  past: PastColumns;
}

/** Forecasts of past days, one entry each. */
export interface PastColumns {
  row: Uint32Array;
  chance: Float32Array;
  /** What its probability compares it with. */
  baseRate: Float64Array;
  filled: Uint8Array;
  won: Uint8Array;
  netReturn: Float64Array;
}

/** Raised when the same settings come to another lesson: another feature, label or way to train. */
const FORMAT = 1;

/**
 * Names everything that a lesson follows from: a dataset version never changes, so its name and the settings stand for
 * the very numbers. Undefined where the run's own features have no name, so that nothing is taken for the same.
 */
export function lessonKey(
  { dataset }: Pick<ScreenInput, 'dataset'>,
  request: LearningRequest,
  day: number,
): string | undefined {
  const { modelId, version, targetGain, stopLoss, horizonDays, trainDays, extraFeatures } = request;
  if (extraFeatures && extraFeatures.key === undefined) return undefined;
  return canonicalJson({
    ...{ format: FORMAT, dataset: dataset.version, day, modelId, version },
    ...{ targetGain, stopLoss, horizonDays, trainDays, binning: BINNING },
    ...{ boosting: boostingOf(request), extra: extraFeatures?.key ?? '' },
  });
}

/** What the arrays among the members of an object take. */
export function bytesOfArrays(columns: object): number {
  const arrays = Object.values(columns).filter((column) => ArrayBuffer.isView(column));
  return arrays.reduce((sum, { byteLength }) => sum + byteLength, 0);
}
