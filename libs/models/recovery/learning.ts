import type { RecoveryContributions } from '../results/recovery-contributions.ts';
import type { RecoveryQuality } from './result.ts';
import { TRAIN_DAYS, ID, VERSION } from './params.ts';
import type { TrainedModel } from '../trained/trained-market.ts';
import type { FeatureTable } from '#quant/features/feature-table.ts';
import type { BoostingParameters } from '#quant/learning/boosting/trainer.ts';
import { FeatureMatrix } from '#quant/learning/feature-matrix.ts';
import type { Panel } from '#quant/panel/panel.ts';
import type { WalkForward } from '#quant/learning/walk-forward/folds.ts';
import { learn } from '#quant/learning/walk-forward/learn.ts';
import { AnalogLibrary, inOrderOfVolatility, type PastRows } from '#quant/recovery/analogs.ts';
import { DailyVolatility, ForwardPaths } from '#quant/recovery/forward-path.ts';
import { bucketCutsPct, bucketOf, RETURN_BUCKETS, trajectoryOf } from '#quant/recovery/trajectory.ts';
import { describe } from '../trained/description.ts';
import { canonicalJson } from '#foundation/text/canonical-json.ts';
import { keptModel, requireEnough } from '../trained/learn-market.ts';
import type { CachedModel } from '../trained/model-cache.ts';
import {
  digestOf,
  type ProvenanceInputs,
  provenanceOf,
  spannedDays,
  windowOf,
} from '../trained/provenance.ts';
import { score } from '../trained/score.ts';
import { walkForward } from '../inputs/history.ts';
import { entriesAt, placesOfDaysApart } from '../trained/training.ts';
import type { ScreenInput } from '../model/screen.ts';
import type { Origin } from '../trained/result.ts';
import { explained } from '../reasons/contribution-lines.ts';
import { forecastReasons } from './contributions.ts';
import type { Localised } from '#foundation/text/localised.ts';
import { VOLATILITY_BARS, volatilityName } from '../reasons/feature-words.ts';
import { baseRates, cautionOf, recoveryQuality } from './quality.ts';

/**
 * Interval of the days trained on. Outcomes of neighbouring days overlap by all but one day of the horizon. The days between
 * cost five times the work and add almost nothing: on real bars 0.1 points of Brier skill, of 4.
 */
const DAYS_APART = 5;

/**
 * Chosen on the real market of 2022 to 2024. Depth, bins and share of features were chosen on 31 days of 2021 to 2023 that no
 * other choice had used: log-loss of 20 days .0028 lower (standard error .0013) than with four levels, 64 bins and all
 * features, in two thirds of the time.
 */
const RECOVERY_BOOSTING: Readonly<BoostingParameters & { patience: number }> = {
  rounds: 40,
  learningRate: 0.1,
  depth: 3,
  lambda: 5,
  gamma: 0,
  minChildWeight: 20,
  subsample: 0.5,
  featureShare: 0.5,
  patience: 5,
  seed: 1,
};

const RECOVERY_BINNING = { bins: 32 };

/** The first fold chooses the rounds, the second calibrates with it, and the last measures the forecast. */
const FOLDS = 3;

/**
 * Folds of a window of `trainDays` days. The last one measures only if it is longer than the horizon and the embargo; in a shorter
 * window the outcomes that chose the rounds reach into it, and nothing is measured.
 */
export function recoveryFolds(trainDays: number, horizonDays: number): WalkForward {
  return { ...walkForward(trainDays, horizonDays), folds: FOLDS };
}

/**
 * The columns of the feature table that the forecast uses. Features of the market are left out: the training window contains
 * few market states, and a model of five classes memorises them. On real bars they cost 0.2 to 0.6 points of Brier skill, of 4.
 */
const RANKS = [
  'roc_5',
  'roc_20',
  'roc_60',
  'max_60',
  'min_60',
  'range_1',
  'atr_14',
  'volatility_60',
  'average_value_20',
  'turnover_20',
  'capitalisation',
  'foreign_net_20',
];

/** Ranks from the table, followed by the logarithm of the daily volatility of each window. */
function recoveryMatrix(table: FeatureTable, rows: Uint32Array, volatility: DailyVolatility): FeatureMatrix {
  const names = [...RANKS, ...VOLATILITY_BARS.map(volatilityName)];
  const matrix = new FeatureMatrix(names, rows.length);
  for (const [column, name] of RANKS.entries()) {
    table.read(table.feature(name), rows, matrix.column(column));
  }
  const { ticker, panelRow } = table.columns;
  for (const [i, bars] of VOLATILITY_BARS.entries()) {
    const column = matrix.column(RANKS.length + i);
    for (let at = 0; at < rows.length; at++) {
      const row = rows[at]!;
      column[at] = Math.log(volatility.of(ticker[row]!, panelRow[row]!, bars));
    }
  }
  return matrix;
}

/** The data that the forecast learns from, one entry per row, in order of days. */
interface RecoverySet {
  matrix: FeatureMatrix;
  /** Calendar day of each row. */
  days: Uint16Array;
  /** The labels are the buckets that the prices ended in. */
  past: PastRows;
}

/** Window of the volatility by which similar past rows (analogs) are found, in bars. */
const LIKENESS_BARS = 60;

/**
 * Rows of the reference names whose outcome was known well before `day`, on every `DAYS_APART`-th day counted back from the
 * newest.
 * @throws RunFailure when there are too few.
 */
function recoverySet(
  table: FeatureTable,
  day: number,
  horizonDays: number,
  volatility: DailyVolatility,
): RecoverySet {
  const known = requireEnough(table, day, { horizonDays, trainDays: TRAIN_DAYS });
  const days = table.daysOf(known);
  const used = placesOfDaysApart(days, DAYS_APART);
  const rows = entriesAt(known, used);
  return {
    matrix: recoveryMatrix(table, rows, volatility),
    days: entriesAt(days, used),
    past: pastRows(table, rows, horizonDays, volatility),
  };
}

function pastRows(
  { panel, columns }: FeatureTable,
  rows: Uint32Array,
  horizonDays: number,
  volatility: DailyVolatility,
): PastRows {
  const paths = new ForwardPaths(panel, horizonDays);
  const cuts = bucketCutsPct(horizonDays);
  const past: PastRows = {
    ticker: new Uint16Array(rows.length),
    panelRow: new Uint32Array(rows.length),
    bucket: new Uint8Array(rows.length),
    volatility: new Float64Array(rows.length),
  };
  for (let i = 0; i < rows.length; i++) {
    const [ticker, panelRow] = [columns.ticker[rows[i]!]!, columns.panelRow[rows[i]!]!];
    past.ticker[i] = ticker;
    past.panelRow[i] = panelRow;
    past.bucket[i] = bucketOf(100 * paths.returnOf(ticker, panelRow), cuts);
    past.volatility[i] = volatility.of(ticker, panelRow, LIKENESS_BARS);
  }
  return past;
}

/** The forecast for a row of the feature table. */
export interface Forecast {
  /** Chance of each bucket, 0 to 1, in their order. */
  chances: Float32Array;
  /** The features behind the chances, by name. */
  features: Record<string, number>;
  contributions: RecoveryContributions;
  /** The largest contributions in words. */
  reasons: Localised[];
  /** Daily volatility by which analogs are found, a fraction. */
  volatility: number;
}

/** What was trained for a day, with the forecasts for the requested rows. */
export interface TrainedRecovery {
  /** One per requested row, in the same order. */
  forecasts: Forecast[];
  analogs: AnalogLibrary;
  quality: RecoveryQuality;
  model: TrainedModel;
  origin: Origin;
  /** The content of `diag.model` in the full view. */
  description: Record<string, unknown>;
}

const CLASSES = RETURN_BUCKETS.length;

/** What was trained for a day and a horizon, independent of the run's positions. */
interface CachedRecoveryModel extends CachedModel {
  quality: RecoveryQuality;
  /** Frequency of each bucket, in their order, in the rows trained on. */
  baseRates: number[];
  past: PastRows;
}

/**
 * Forecasts `rows` of the feature table from what happened to stocks within the horizon. Reuses the cached model of an earlier run on
 * the same inputs, otherwise learns now; scores through the same graph that is stored with the result.
 * @throws RunFailure when there is too little data to learn from.
 */
export async function learnRecovery(
  input: ScreenInput,
  day: number,
  horizonDays: number,
  rows: Uint32Array,
): Promise<TrainedRecovery> {
  const table = input.features();
  const volatility = volatilityOf(input.panel);
  const key = modelCacheKey(input.dataset.version, day, horizonDays);
  const kept = await input.modelCache?.find<CachedRecoveryModel>(key);
  const cachedModel = kept ?? (await learnModel(input, day, horizonDays, volatility));
  if (!kept) input.modelCache?.keep(key, cachedModel);
  const matrix = recoveryMatrix(table, rows, volatility);
  const provenance = provenanceOf(input, provenanceInputsOf(cachedModel, matrix, day, horizonDays));
  const model = keptModel(cachedModel, provenance);
  const chances = await score(model.onnx, matrix);
  const { quality, past } = cachedModel;
  input.mark?.('scoring');
  const explainedModel = explained(cachedModel);
  return {
    forecasts: Array.from(rows, (row, i) => ({
      chances: chances.subarray(i * CLASSES, (i + 1) * CLASSES),
      features: Object.fromEntries(matrix.names.map((name, f) => [name, matrix.column(f)[i]!])),
      ...forecastReasons(explainedModel, matrix, i),
      volatility: likenessOf(table, row, volatility),
    })),
    analogs: new AnalogLibrary(past),
    quality,
    model,
    origin: kept ? 'reused' : 'learnt',
    description: describe({
      provenance,
      model,
      trained: cachedModel,
      outOfFold: quality,
      caution: cautionOf(quality),
      baseRates: { base_rates_pct: trajectoryOf(cachedModel.baseRates) },
    }),
  };
}

async function learnModel(
  input: ScreenInput,
  day: number,
  horizonDays: number,
  volatility: DailyVolatility,
): Promise<CachedRecoveryModel> {
  // Starts while the rows are gathered.
  const trainer = input.trainer();
  const { matrix, days, past } = recoverySet(input.features(), day, horizonDays, volatility);
  const labels = past.bucket;
  input.mark?.('training_rows');
  const trained = learn(await trainer, {
    matrix,
    labels,
    days,
    classes: CLASSES,
    weights: new Float64Array(labels.length).fill(1),
    walkForward: recoveryFolds(spannedDays(days), horizonDays),
    parameters: RECOVERY_BOOSTING,
    binning: RECOVERY_BINNING,
    shouldStop: input.shouldStop,
  });
  const { ensemble, calibration, rounds } = trained;
  const cachedModel = {
    ensemble,
    calibration,
    rounds,
    window: windowOf(days),
    digest: digestOf([matrix.values, labels]),
    quality: recoveryQuality(trained, labels),
    baseRates: baseRates(labels),
    past: inOrderOfVolatility(past),
  };
  input.mark?.('learning');
  return cachedModel;
}

/** Increase this when the same settings give another cached model. */
const FORMAT = 4;

/** A key of everything that a cached model depends on, as in `trained/model-cache.ts`. */
function modelCacheKey(dataset: string, day: number, horizonDays: number): string {
  const method = {
    boosting: RECOVERY_BOOSTING,
    binning: RECOVERY_BINNING,
    trainDays: TRAIN_DAYS,
    daysApart: DAYS_APART,
    folds: FOLDS,
  };
  return canonicalJson({ format: FORMAT, dataset, day, horizonDays, id: ID, version: VERSION, ...method });
}

function provenanceInputsOf(
  { ensemble, window, digest }: CachedRecoveryModel,
  scored: FeatureMatrix,
  day: number,
  horizonDays: number,
): ProvenanceInputs {
  return {
    modelId: ID,
    version: VERSION,
    day,
    seed: RECOVERY_BOOSTING.seed,
    window,
    method: {
      features: ensemble.featureNames,
      boosting: RECOVERY_BOOSTING,
      binning: RECOVERY_BINNING,
      folds: recoveryFolds(window.lastDay - window.firstDay + 1, horizonDays),
    },
    digests: [digest, digestOf([scored.values])],
  };
}

const volatilities = new WeakMap<Panel, DailyVolatility>();

/** The sums of a market's returns are computed once, for all its days. */
function volatilityOf(panel: Panel): DailyVolatility {
  const volatility = volatilities.get(panel) ?? new DailyVolatility(panel);
  volatilities.set(panel, volatility);
  return volatility;
}

function likenessOf({ columns }: FeatureTable, row: number, volatility: DailyVolatility): number {
  return volatility.of(columns.ticker[row]!, columns.panelRow[row]!, LIKENESS_BARS);
}
