import { type BinningJob, binRows, cutsOf, valuesToBin } from '../binning/bin-rows.ts';
import { binnedLayout } from '../binning/binned-layout.ts';
import type { TreeEnsemble } from '../ensemble/tree-ensemble.ts';
import type { RowRange } from '#quant/panel/row-range.ts';
import type { FeatureMatrix } from '../matrix/feature-matrix.ts';
import { Crew } from '../threads/crew.ts';
import { boost } from './boost.ts';
import { ensembleOf } from './ensemble-of.ts';
import type { BoostingJob } from './job.ts';
import { type BoostingLayout, boostingLayout } from './layout.ts';
import { jobOf, placeTask } from './place-task.ts';
import { requireTask, TrainingCancelled, type TrainingTask } from './training-task.ts';

export interface BinningOptions {
  /** Most bins of a feature, 2 to 256. */
  bins?: number;
  /** Rows the cuts are chosen from: all, unless later rows must not be known. */
  cutRows?: RowRange;
  /** How many of those rows are looked at, about. */
  sampleRows?: number;
  /** Of that sample: a 32-bit integer. */
  seed?: number;
}

/** Kernels unroll their loop over features, so their code grows with them. */
const MOST_FEATURES = 1_024;

/** A matrix whose bins lie in a trainer's memory, until that trainer bins another. */
export interface BinnedMatrix {
  matrix: FeatureMatrix;
  /** Of each feature, ascending. */
  cuts: readonly Float32Array[];
  job: BinningJob;
}

export interface Training {
  /** Trees up to the best round. */
  ensemble: TreeEnsemble;
  /** Mean log-loss on the validation rows after each round, those after the best one too; empty without such rows. */
  losses: readonly number[];
  /** Raw scores of the validation rows by this ensemble, one row after the other. */
  validationScores: Float32Array;
}

/**
 * Gradient-boosted trees on histograms (Friedman 2001; Chen & Guestrin 2016; Ke et al. 2017): binary and multiclass
 * log-loss, grown level by level. The same matrix, task and seed give the same bits on any number of threads.
 *
 * Calls block their thread, which works too. A trainer holds one binned matrix at a time: bin once, then train as
 * often as needed on ranges of its rows. Keep a trainer; it never keeps the process alive.
 */
export class Trainer {
  readonly #crew: Crew;
  #table: BinnedMatrix | null = null;

  static async start(threads: number): Promise<Trainer> {
    return new Trainer(await Crew.start(threads));
  }

  private constructor(crew: Crew) {
    this.#crew = crew;
  }

  /** @throws UnusableFeature when a value is not finite */
  bin(matrix: FeatureMatrix, options: BinningOptions = {}): BinnedMatrix {
    const { bins = 64, cutRows = matrix.allRows, sampleRows = 50_000, seed = 1 } = options;
    requireBinnable(matrix, bins, cutRows);
    const { rowCount } = matrix;
    const features = matrix.names.length;
    const job: BinningJob = { rowCount, features, bins, cutRows, sampleRows, seed };
    this.#table = null;
    this.#crew.requireMemory(binnedLayout(job).endOfValues);
    valuesToBin(this.#crew.views(), job).set(matrix.values);
    const usable = this.#crew.run({ kind: 'bin', job }, (self) => binRows(self, job));
    if (!usable) matrix.requireFinite();
    const views = this.#crew.views();
    const cuts = matrix.names.map((_, feature) => cutsOf(views, job, feature));
    this.#table = { matrix, cuts, job };
    return this.#table;
  }

  /** @throws TrainingCancelled when the task's `shouldStop` says so */
  train(binned: BinnedMatrix, task: TrainingTask): Training {
    if (binned !== this.#table) throw new Error('this matrix is not the one the trainer has binned last');
    requireTask(binned.matrix, task);
    const { rowCount, features, bins } = binned.job;
    const job = jobOf(task, { rowCount, features, bins });
    const layout = boostingLayout(job, this.#crew.threads);
    this.#crew.requireMemory(layout.end);
    placeTask(this.#crew.views(), task, job, layout);
    const boosted = this.#crew.run({ kind: 'boost', job }, (self) => boost(self, job, task.shouldStop));
    if (boosted.cancelled) throw new TrainingCancelled();
    return {
      ensemble: ensembleOf(boosted.trees, job.baseScores, binned.matrix.names, binned.cuts),
      losses: boosted.losses,
      validationScores: this.#validationScores(job, layout),
    };
  }

  async stop(): Promise<void> {
    await this.#crew.stop();
  }

  #validationScores(
    { scores, baseScores }: BoostingJob,
    { bestSums, validation }: BoostingLayout,
  ): Float32Array {
    const { f32 } = this.#crew.views();
    const out = new Float32Array(validation.rowCount * scores);
    for (let i = 0; i < out.length; i++) {
      const [row, score] = [Math.floor(i / scores), i % scores];
      out[i] = f32[(bestSums + score * validation.stride) / 4 + row]! + baseScores[score]!;
    }
    return out;
  }
}

function requireBinnable(matrix: FeatureMatrix, bins: number, { from, to }: RowRange): void {
  if (!Number.isInteger(bins) || bins < 2 || bins > 256)
    throw new RangeError(`bins must be an integer from 2 to 256, got ${bins}`);
  if (matrix.names.length < 1 || matrix.names.length > MOST_FEATURES)
    throw new RangeError(`a matrix must have 1 to ${MOST_FEATURES} features, got ${matrix.names.length}`);
  if (!(from >= 0 && from < to && to <= matrix.rowCount))
    throw new RangeError(
      `cutRows must lie within 0 to ${matrix.rowCount} and not be empty, got ${from} to ${to}`,
    );
}
