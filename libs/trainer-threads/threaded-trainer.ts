import { type BinningJob, binRows, cutsOf, valuesToBin } from '#quant/learning/binning/bin-rows.ts';
import { binnedLayout } from '#quant/learning/binning/binned-layout.ts';
import type { RowRange } from '#quant/panel/ranges.ts';
import type { FeatureMatrix } from '#quant/learning/feature-matrix.ts';
import { boost, boostApart, type Boosted } from '#quant/learning/boosting/boost.ts';
import { ensembleOf } from '#quant/learning/boosting/grown-tree.ts';
import {
  boostingLayout,
  jobOf,
  placeTask,
  type BoostingJob,
  type BoostingLayout,
} from '#quant/learning/boosting/job.ts';
import {
  DEFAULT_PARAMETERS,
  requireTask,
  TrainingCancelled,
  type BinnedMatrix,
  type BinningOptions,
  type Trainer,
  type Training,
  type TrainingTask,
} from '#quant/learning/boosting/trainer.ts';
import { treeCount } from '#quant/learning/tree-ensemble.ts';
import { TrainerPool } from './trainer-pool.ts';

/** Kernels unroll their loop over features, so their code grows with them. */
const MAX_FEATURES = 1_024;

/** A task whose data has been written to the memory. */
interface Placed {
  job: BoostingJob;
  layout: BoostingLayout;
}

/**
 * A trainer on several threads. A call blocks its thread, which also works, so call from a thread that serves no requests.
 * Reuse a trainer. It does not keep the process alive.
 */
export class ThreadedTrainer implements Trainer {
  readonly #pool: TrainerPool;
  #table: BinnedMatrix | null = null;

  static async start(threads: number): Promise<ThreadedTrainer> {
    return new ThreadedTrainer(await TrainerPool.start(threads));
  }

  private constructor(pool: TrainerPool) {
    this.#pool = pool;
  }

  /** @throws UnusableFeature when a value is not finite */
  bin(matrix: FeatureMatrix, options: BinningOptions = {}): BinnedMatrix {
    const { bins = 64, cutRows = matrix.allRows } = options;
    requireBinnable(matrix, bins, cutRows);
    const { rowCount } = matrix;
    const features = matrix.names.length;
    const job: BinningJob = { rowCount, features, bins, cutRows };
    this.#table = null;
    this.#pool.requireMemory(binnedLayout(job).endOfValues);
    valuesToBin(this.#pool.views(), job).set(matrix.values);
    const usable = this.#pool.run({ kind: 'bin', job }, (self) => binRows(self, job));
    if (!usable) matrix.requireFinite();
    const views = this.#pool.views();
    const cuts = matrix.names.map((_, feature) => cutsOf(views, job, feature));
    this.#table = { matrix, cuts, job };
    return this.#table;
  }

  /** @throws TrainingCancelled when the task's `shouldStop` returns true */
  train(binned: BinnedMatrix, task: TrainingTask): Training {
    const placed = this.#place(binned, task, this.#pool.threads);
    const { job } = placed;
    const boosted = this.#pool.run({ kind: 'boost', job }, (self) => boost(self, job, task.shouldStop));
    return this.#trainingOf(binned, placed, boosted);
  }

  /**
   * Trains the tasks in parallel, each on one thread, the largest of the others first, so that the last ones to end are small. With
   * more threads than tasks, all threads train each.
   *
   * @throws TrainingCancelled when the first task's `shouldStop` returns true
   */
  trainAlike(binned: BinnedMatrix, first: TrainingTask, others: readonly TrainingTask[]): Training[] {
    if (this.#pool.threads > 1 + others.length) {
      const training = this.train(binned, first);
      const { ensemble } = training;
      const rounds = treeCount(ensemble) / ensemble.scores;
      return [training, ...others.map((task) => this.train(binned, ofRounds(task, rounds)))];
    }
    const { rounds = DEFAULT_PARAMETERS.rounds } = first.parameters ?? {};
    return this.#trainApart(binned, [first, ...others.map((task) => ofRounds(task, rounds))]);
  }

  #trainApart(binned: BinnedMatrix, tasks: readonly TrainingTask[]): Training[] {
    const rowsOf = (i: number) => tasks[i]!.rows.to - tasks[i]!.rows.from;
    const [first, ...others] = tasks.keys();
    const order = [first!, ...others.sort((a, b) => rowsOf(b) - rowsOf(a))];
    let start: number | undefined;
    const placed = order.map((i) => {
      const each = this.#place(binned, tasks[i]!, 1, start);
      start = each.layout.end;
      return each;
    });
    const jobs = placed.map(({ job }) => job);
    const boosted = this.#pool.runApart({ kind: 'boost_apart', jobs }, (self) =>
      boostApart(self, jobs, tasks[0]!.shouldStop),
    );
    const trainings: Training[] = [];
    for (const each of boosted.flat())
      trainings[order[each.place]!] = this.#trainingOf(binned, placed[each.place]!, each);
    return trainings;
  }

  /** Writes a task to the memory at `start`, for this number of members to train. */
  #place(
    binned: BinnedMatrix,
    task: TrainingTask,
    members: number,
    start = binnedLayout(binned.job).end,
  ): Placed {
    if (binned !== this.#table) throw new Error('this matrix is not the one the trainer has binned last');
    requireTask(binned.matrix, task);
    const { rowCount, features, bins } = binned.job;
    const job = jobOf(task, { rowCount, features, bins }, start);
    const layout = boostingLayout(job, members);
    this.#pool.requireMemory(layout.end);
    placeTask(this.#pool.views(), task, job, layout);
    return { job, layout };
  }

  #trainingOf(binned: BinnedMatrix, { job, layout }: Placed, boosted: Boosted): Training {
    if (boosted.cancelled) throw new TrainingCancelled();
    return {
      ensemble: ensembleOf(boosted.trees, job.baseScores, binned.matrix.names, binned.cuts),
      losses: boosted.losses,
      validationScores: this.#validationScores(job, layout),
    };
  }

  async stop(): Promise<void> {
    await this.#pool.stop();
  }

  #validationScores(
    { scores, baseScores }: Placed['job'],
    { bestSums, validation }: Placed['layout'],
  ): Float32Array {
    const { f32 } = this.#pool.views();
    const out = new Float32Array(validation.rowCount * scores);
    for (let i = 0; i < out.length; i++) {
      const [row, score] = [Math.floor(i / scores), i % scores];
      out[i] = f32[(bestSums + score * validation.stride) / 4 + row]! + baseScores[score]!;
    }
    return out;
  }
}

function ofRounds(task: TrainingTask, rounds: number): TrainingTask {
  return { ...task, parameters: { ...task.parameters, rounds, patience: null } };
}

function requireBinnable(matrix: FeatureMatrix, bins: number, { from, to }: RowRange): void {
  if (!Number.isInteger(bins) || bins < 2 || bins > 256)
    throw new RangeError(`bins must be an integer from 2 to 256, got ${bins}`);
  if (matrix.names.length < 1 || matrix.names.length > MAX_FEATURES)
    throw new RangeError(`a matrix must have 1 to ${MAX_FEATURES} features, got ${matrix.names.length}`);
  if (!(from >= 0 && from < to && to <= matrix.rowCount))
    throw new RangeError(
      `cutRows must lie within 0 to ${matrix.rowCount} and not be empty, got ${from} to ${to}`,
    );
}
