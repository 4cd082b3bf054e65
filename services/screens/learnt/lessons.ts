import type { Calibration } from '#quant/learning/calibration/calibration.ts';
import type { TreeEnsemble } from '#quant/learning/tree-ensemble.ts';
import type { LearningRequest } from './learnt-market.ts';
import { canonicalJson } from '#shared/text/canonical-json.ts';
import type { OutOfFold } from './result.ts';
import { BINNING, boostingOf, DAYS_APART } from './training.ts';

/** Lessons of earlier runs, of this worker or another, by what they were learnt from. */
export interface Lessons {
  find: <L extends Lesson>(key: string) => Promise<L | undefined>;
  keep: (key: string, lesson: Lesson) => void;
}

/**
 * What was learnt, whatever the filters of the run that learnt it. Plain data and typed arrays alone: workers hand
 * lessons to one another as V8 serialises them.
 */
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
const FORMAT = 3;

/**
 * Names everything that a lesson follows from: a dataset version never changes, so its name and the settings stand for
 * the very numbers. Undefined where the run's own features have no name, so that nothing is taken for the same.
 */
export function lessonKey(
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
    boosting: boostingOf(request),
    extra: extraFeatures?.key ?? '',
  });
}

/** About how much memory a lesson takes: its arrays, which are most of it. */
export function bytesOf(lesson: Lesson): number {
  const columns = Object.values(lesson).flatMap((part: unknown): unknown[] =>
    Object.values(Object(part) as object),
  );
  return columns.reduce<number>(
    (sum, column) => sum + (ArrayBuffer.isView(column) ? column.byteLength : 0),
    0,
  );
}
