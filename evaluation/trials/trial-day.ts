import type { FeatureTable } from '#quant/features/feature-table.ts';
import type { BinnedMatrix, BoostingParameters, Trainer } from '#quant/learning/boosting/trainer.ts';
import type { FeatureMatrix } from '#quant/learning/feature-matrix.ts';
import { rawScores, type TreeEnsemble } from '#quant/learning/tree-ensemble.ts';
import { withMeanOne } from '#quant/learning/walk-forward/fold-calibrations.ts';
import type { Regime } from '#quant/regime/regime.ts';
import { buyableRows } from '#models/learnt/buyable.ts';
import type { ExtraFeatures, LearningRequest } from '#models/learnt/learnt-market.ts';
import {
  BINNING,
  boostingOf,
  featureMatrix,
  trainingRows,
  trainingSet,
  type TrainingSet,
} from '#models/learnt/training.ts';

/** In a run the first fold chooses up to 60 rounds. A fixed number removes one source of noise from the comparison. */
const ROUNDS = 45;

/** Learning rate of a boosting with few rounds. */
const STEP = 0.15;

/** What the models with common defaults learn: +10 % before -5 % within 20 trading days, from 500 trading days. */
const REQUEST: LearningRequest = {
  modelId: 'trial',
  version: 'trial',
  analysisDate: '',
  leastDays: 0,
  targetGain: 0.1,
  stopLoss: 0.05,
  horizonDays: 20,
  trainDays: 500,
};

type TrialBarriers = Pick<LearningRequest, 'targetGain' | 'stopLoss' | 'horizonDays'>;
export const BARRIERS: TrialBarriers = REQUEST;

/** Differences from how a run learns. */
interface Variation {
  trainDays?: number;
  extraFeatures?: ExtraFeatures;
  parameters?: Partial<BoostingParameters>;
  /** One per row of the training set, replacing the outcomes. */
  labelsOf?: (set: TrainingSet) => Uint8Array;
  classes?: number;
  /** Factors on the weights of the rows. */
  factors?: Float64Array;
}

/** A past day with the data that could be learnt from before it. Everything that a trial reads was known on that day. */
export class TrialDay {
  readonly day: number;
  readonly regime: Regime;
  readonly table: FeatureTable;
  /** Rows of the feature table to score. */
  readonly rows: Uint32Array;
  readonly #trainer: Trainer;
  #inUse: TreeEnsemble | undefined;
  readonly #sets = new Map<number, TrainingSet>();
  #binned: { matrix: FeatureMatrix; binned: BinnedMatrix } | undefined;

  constructor(table: FeatureTable, trainer: Trainer, day: number, regime: Regime) {
    this.table = table;
    this.day = day;
    this.regime = regime;
    this.rows = buyableRows(table, day);
    this.#trainer = trainer;
  }

  set(trainDays = REQUEST.trainDays): TrainingSet {
    const request = { ...REQUEST, trainDays };
    const set =
      this.#sets.get(trainDays) ??
      trainingSet(this.table, trainingRows(this.table, this.day, request), this.day, request);
    this.#sets.set(trainDays, set);
    return set;
  }

  /** The current model, which many trials use in a different way. */
  inUse(): TreeEnsemble {
    return (this.#inUse ??= this.train());
  }

  /** Trains trees on all known data, as a run does for its final model. */
  train({
    trainDays,
    extraFeatures,
    parameters,
    labelsOf,
    classes = 2,
    factors,
  }: Variation = {}): TreeEnsemble {
    const set = this.set(trainDays);
    const matrix = extraFeatures ? featureMatrix(this.table, set.rows, extraFeatures) : set.matrix;
    const weights = factors ? set.weights.map((weight, i) => weight * factors[i]!) : set.weights;
    return this.#trainer.train(this.#bin(matrix), {
      classes,
      labels: labelsOf ? labelsOf(set) : set.outcomes.won,
      weights: withMeanOne(weights),
      rows: matrix.allRows,
      parameters: { ...boostingOf({}), rounds: ROUNDS, ...parameters, patience: null },
    }).ensemble;
  }

  /** Raw scores of the day's names. */
  score(ensemble: TreeEnsemble, extraFeatures?: ExtraFeatures): Float64Array {
    return Float64Array.from(rawScores(ensemble, featureMatrix(this.table, this.rows, extraFeatures)));
  }

  /** Trains one tree after the other, each on gradients of the scores so far. */
  boost(rounds: number, gradients: (set: TrainingSet, scores: Float64Array) => Float64Array): Float64Array {
    const set = this.set();
    const scores = new Float64Array(set.rows.length);
    const ofDay = new Float64Array(this.rows.length);
    const scored = featureMatrix(this.table, this.rows);
    for (let round = 0; round < rounds; round++) {
      const pull = gradients(set, scores);
      // At score 0, log-loss with weight 2|g| has gradient |g| towards its label, so one tree can be fitted to any gradients.
      const { ensemble } = this.#trainer.train(this.#bin(set.matrix), {
        classes: 2,
        labels: Uint8Array.from(pull, (g) => (g > 0 ? 1 : 0)),
        weights: withMeanOne(pull.map((g) => 2 * Math.abs(g) + 1e-12)),
        rows: set.matrix.allRows,
        parameters: { ...boostingOf({}), learningRate: STEP, rounds: 1, patience: null, seed: round + 1 },
      });
      rawScores(ensemble, set.matrix).forEach((score, i) => (scores[i]! += score - ensemble.baseScores[0]!));
      rawScores(ensemble, scored).forEach((score, i) => (ofDay[i]! += score - ensemble.baseScores[0]!));
    }
    return ofDay;
  }

  #bin(matrix: FeatureMatrix): BinnedMatrix {
    if (this.#binned?.matrix !== matrix)
      this.#binned = { matrix, binned: this.#trainer.bin(matrix, BINNING) };
    return this.#binned.binned;
  }
}
