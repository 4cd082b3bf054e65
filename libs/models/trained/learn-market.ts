import type { FeatureTable } from '#quant/features/feature-table.ts';
import { FeatureMatrix } from '#quant/learning/feature-matrix.ts';
import { superiorityOver } from '#quant/learning/validation/superiority.ts';
import { exportOnnx } from '#quant/learning/onnx/export-onnx.ts';
import { baseRate, knownBefore } from '#quant/learning/walk-forward/fold-calibrations.ts';
import { learn, type Learnt, type LearningTask } from '#quant/learning/walk-forward/learn.ts';
import { modelQuality } from '#quant/learning/validation/model-quality.ts';
import { toDecimals } from '#foundation/rounded.ts';
import { Localised } from '#foundation/text/localised.ts';
import { analysedDay, RunFailure } from '../inputs/run-failure.ts';
import type { LearningInput } from './learning-input.ts';
import { buyableRows, isBuyable } from './buyable.ts';
import { leastTrainDays, MIN_ROWS, walkForward } from '../inputs/history.ts';
import { describe } from './description.ts';
import {
  bestOfEachDay,
  type LearningRequest,
  type TrainedMarket,
  type TrainedModel,
  type PastForecast,
  stocksAt,
} from './trained-market.ts';
import { cautionOf, outOfFold } from './out-of-fold.ts';
import { modelCacheKey, type CachedMarketModel, type PastColumns } from './model-cache.ts';
import {
  digestOf,
  type ProvenanceInputs,
  type Provenance,
  provenanceOf,
  spannedDays,
  windowOf,
} from './provenance.ts';
import { score } from './score.ts';
import {
  BINNING,
  BOOSTING,
  DAYS_APART,
  featureMatrix,
  trainingRows,
  trainingSet,
  type TrainingSet,
  UNCOUNTED_FOLDS,
} from './training.ts';

type Input = LearningInput & { params: object };

/**
 * Returns the names of a day with their chances by a model, and how well such models did. Reuses the cached model of an earlier run
 * on the same inputs; otherwise learns now and scores through the same graph that is stored with the result.
 * @throws RunFailure when there are too few days before the analysed one to learn from.
 */
export async function learnMarket(input: Input, request: LearningRequest): Promise<TrainedMarket> {
  const { modelCache, onTrained } = input;
  const day = analysedDay(input.panel, request.analysisDate, request.leastDays);
  const key = modelCacheKey(input, request, day);
  const kept = key === undefined ? undefined : await modelCache?.find<CachedMarketModel>(key);
  const cachedModel = kept ?? (await learnModel(input, request, day));
  if (!kept && key !== undefined) modelCache?.keep(key, cachedModel);
  const market = marketOf(input, request, day, cachedModel);
  onTrained?.(market);
  return { ...market, origin: kept ? 'reused' : 'learnt' };
}

async function learnModel(input: Input, request: LearningRequest, day: number): Promise<CachedMarketModel> {
  await request.beforeLearning?.();
  // Starts while the rows are gathered.
  const trainer = input.trainer();
  const table = input.features();
  const set = trainingSet(table, requireEnough(table, day, request), day, request);
  const rows = buyableRows(table, day);
  const scored = featureMatrix(table, rows, request.extraFeatures);
  input.mark?.('training_rows');
  const { ensemble, calibration, rounds, folds } = learn(await trainer, learningTask(set, input, request));
  const past = pastColumns(table, set, folds);
  input.mark?.('learning');
  const { filled, won, netReturn } = set.outcomes;
  const numbers = [set.matrix.values, filled, won, netReturn, set.weights, scored.values];
  const cachedModel = {
    ensemble,
    calibration,
    rounds,
    past,
    baseRate: baseRate(folds),
    window: windowOf(set.days),
    digest: digestOf(numbers),
    stocks: {
      row: rows,
      features: scored.values,
      chance: await chancesOf(scored, { ensemble, calibration }),
    },
    kept: {
      stocks: request.figuresOf?.(rows) ?? {},
      past: request.figuresOf?.(past.row) ?? {},
      facts: request.facts?.() ?? {},
    },
  };
  const outcome = outOfFold(past);
  input.mark?.('scoring');
  return { ...cachedModel, outOfFold: outcome };
}

/** What the model read of some of the names of the day, which need not be computed again. */
function keptFeatures(
  names: readonly string[],
  { row, features }: CachedMarketModel['stocks'],
  rows: Uint32Array,
): FeatureMatrix {
  const matrix = new FeatureMatrix(names, rows.length);
  const places = rows.map((one) => row.indexOf(one));
  for (const feature of names.keys()) {
    const [from, column] = [feature * row.length, matrix.column(feature)];
    for (const [i, at] of places.entries()) column[i] = features[from + at]!;
  }
  return matrix;
}

/** Builds a run's market from a cached model. The result is the same whichever process trained it. */
function marketOf(
  input: Input,
  request: LearningRequest,
  day: number,
  cachedModel: CachedMarketModel,
): Omit<TrainedMarket, 'origin'> {
  const table = input.features();
  const { ensemble, calibration, rounds, outOfFold: scores, baseRate: rate, stocks, kept } = cachedModel;
  const provenance = provenanceOf(input, provenanceInputsOf(cachedModel, request, day));
  const model = keptModel({ ensemble, calibration }, provenance);
  const past = pastForecasts(table, cachedModel.past);
  const stockAt = stocksAt(table, rate);
  const caution = cautionOf(scores);
  return {
    day,
    asOf: provenance.as_of,
    stocks: Array.from(stocks.row, (row, i) => stockAt(row, stocks.chance[i]!)),
    featuresOf: (rows) => keptFeatures(ensemble.featureNames, stocks, rows),
    past,
    kept,
    baseRate: rate,
    model,
    trained: { ensemble, calibration },
    ...(caution && { caution }),
    description: describe({
      provenance,
      model,
      outOfFold: scores,
      caution,
      trained: { ensemble, calibration, rounds },
      baseRates: { base_rate_pct: toDecimals(100 * rate, 1) },
    }),
    quality: (picksOf) => modelQuality(bestOfEachDay(past, picksOf)),
  };
}

/**
 * Rows of the feature table to learn from.
 * @throws RunFailure when there are too few.
 */
export function requireEnough(
  table: FeatureTable,
  day: number,
  request: Pick<LearningRequest, 'horizonDays' | 'trainDays'>,
): Uint32Array {
  const rows = trainingRows(table, day, request);
  const days = rows.length === 0 ? 0 : table.dayOf(rows.at(-1)!) - table.dayOf(rows[0]!) + 1;
  if (rows.length >= MIN_ROWS && days >= leastTrainDays(request.horizonDays)) return rows;
  throw new RunFailure(
    'insufficient_data',
    new Localised(
      `Data untuk belajar terlalu sedikit: baru ${rows.length} contoh saham likuid dalam ${days} hari bursa, sedangkan model memerlukan ${MIN_ROWS} contoh dalam ${leastTrainDays(request.horizonDays)} hari.`,
      `There is too little data to learn from: ${rows.length} examples of liquid stocks in ${days} trading days, and the model needs ${MIN_ROWS} examples in ${leastTrainDays(request.horizonDays)} days.`,
    ),
  );
}

function learningTask(
  { matrix, outcomes, weights, days }: TrainingSet,
  { shouldStop }: Input,
  request: LearningRequest,
): LearningTask {
  return {
    matrix,
    classes: 2,
    labels: outcomes.won,
    weights,
    days,
    walkForward: walkForward(spannedDays(days), request.horizonDays),
    parameters: BOOSTING,
    binning: BINNING,
    shouldStop,
  };
}

function provenanceInputsOf(
  { ensemble, window, digest }: CachedMarketModel,
  request: LearningRequest,
  day: number,
): ProvenanceInputs {
  return {
    modelId: request.modelId,
    version: request.version,
    day,
    seed: BOOSTING.seed,
    window,
    method: {
      barriers: [request.targetGain, request.stopLoss, request.horizonDays],
      features: ensemble.featureNames,
      boosting: BOOSTING,
      binning: BINNING,
      daysApart: DAYS_APART,
      folds: walkForward(window.lastDay - window.firstDay + 1, request.horizonDays),
    },
    digests: [digest],
  };
}

/** Computes chances through the graph, as a client that downloads it does. The graph's metadata changes no chance. */
async function chancesOf(
  scored: FeatureMatrix,
  { ensemble, calibration }: Pick<Learnt, 'ensemble' | 'calibration'>,
): Promise<Float32Array> {
  return scored.rowCount === 0 ? new Float32Array(0) : score(exportOnnx(ensemble, calibration, {}), scored);
}

/** The graph with its calibration inside and its provenance as metadata. */
export function keptModel(
  { ensemble, calibration }: Pick<Learnt, 'ensemble' | 'calibration'>,
  provenance: Provenance,
): TrainedModel {
  const { model_id, version, dataset_version, as_of, seed, training, fingerprint } = provenance;
  const onnx = exportOnnx(ensemble, calibration, {
    model_id,
    version,
    dataset_version,
    as_of,
    training_from: training.from,
    training_to: training.to,
    training_rows: String(training.rows),
    seed: String(seed),
    fingerprint,
  });
  return { onnx, fingerprint };
}

/** Forecasts of the folds that count, with the chances that the service would have shown at the time. */
function pastColumns(
  table: FeatureTable,
  set: Pick<TrainingSet, 'rows' | 'outcomes'>,
  folds: Learnt['folds'],
): PastColumns {
  const counted = folds.flatMap(({ train, validation, probabilities }, fold) => {
    if (fold < UNCOUNTED_FOLDS || !probabilities) return [];
    const rows = set.rows.subarray(validation.from, validation.to);
    const shown = Uint32Array.from(rows.keys()).filter((i) => isBuyable(table, rows[i]!));
    return [
      { from: validation.from, shown, probabilities, rate: baseRate(knownBefore(folds, train.to).folds) },
    ];
  });
  const past = emptyColumns(counted.reduce((rows, { shown }) => rows + shown.length, 0));
  let count = 0;
  for (const { from, shown, probabilities, rate } of counted) {
    const superiority = superiorityOver(rate);
    for (const i of shown) {
      past.row[count] = set.rows[from + i]!;
      past.chance[count] = probabilities[i]!;
      past.baseRate[count] = rate;
      past.probability[count] = Math.round(10 * superiority(past.chance[count]!));
      past.filled[count] = set.outcomes.filled[from + i]!;
      past.won[count] = set.outcomes.won[from + i]!;
      past.netReturn[count] = set.outcomes.netReturn[from + i]!;
      count++;
    }
  }
  return past;
}

function emptyColumns(rows: number): PastColumns {
  return {
    row: new Uint32Array(rows),
    chance: new Float32Array(rows),
    baseRate: new Float64Array(rows),
    probability: new Uint16Array(rows),
    filled: new Uint8Array(rows),
    won: new Uint8Array(rows),
    netReturn: new Float64Array(rows),
  };
}

function pastForecasts(table: FeatureTable, past: PastColumns): PastForecast[] {
  const { tickers, close } = table.panel.columns;
  const { panelRow: panelRows, ticker: tickerOf, averageValue } = table.columns;
  const forecasts = new Array<PastForecast>(past.row.length);
  for (let i = 0; i < forecasts.length; i++) {
    const row = past.row[i]!;
    const panelRow = panelRows[row]!;
    const ticker = tickerOf[row]!;
    forecasts[i] = {
      row,
      panelRow,
      ticker,
      code: tickers[ticker]!,
      close: close[panelRow]!,
      averageValue: averageValue[row]!,
      chance: past.chance[i]!,
      baseRate: past.baseRate[i]!,
      probability: past.probability[i]! / 10,
      day: table.dayOf(row),
      filled: past.filled[i] === 1,
      netReturn: past.netReturn[i]!,
      won: past.won[i] === 1,
    };
  }
  return forecasts;
}
