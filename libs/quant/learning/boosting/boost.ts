import { binRows, type BinningJob } from '../binning/bin-rows.ts';
import { holdGradients } from '../kernels/records.ts';
import { seedFor, ALL_ROWS, rowHash } from '../kernels/row-lists.ts';
import { collectRecords, growTree } from './grow-tree.ts';
import type { GrownTree, TreeNodes } from './grown-tree.ts';
import { usedFeatures, type BoostingJob } from './job.ts';
import type { Member } from '../kernels/member.ts';
import {
  addTree,
  keepSums,
  meanLoss,
  measureBlocks,
  updateGradients,
  updateProbabilities,
} from './row-scores.ts';
import { workspaceOf, type Workspace } from './workspace.ts';

/** A task as sent to the other threads. */
export type Task =
  | { kind: 'bin'; job: BinningJob }
  | { kind: 'boost'; job: BoostingJob }
  | { kind: 'boost_apart'; jobs: BoostingJob[] };

/** Runs a member's share of a task. Returns the results that the other members do not have. */
export function work(member: Member, task: Task): BoostedApart[] | undefined {
  if (task.kind === 'boost_apart') return boostApart(member, task.jobs);
  if (task.kind === 'bin') binRows(member, task.job);
  else boost(member, task.job);
  return undefined;
}

/** Result of one of several trainings that members run independently. */
interface BoostedApart extends Boosted {
  /** Index of the job in the list of jobs. */
  place: number;
}

/**
 * Runs several trainings side by side, each by one member, so that members do not wait for each other at every level of every
 * tree as in {@link boost}. Whoever is free takes the next job. The first one decides how many rounds all of them keep; the
 * others are trained at the same time, and drop what they have grown beyond it.
 */
export function boostApart(
  member: Member,
  jobs: readonly BoostingJob[],
  betweenRounds?: () => boolean,
): BoostedApart[] {
  const boosted: BoostedApart[] = [];
  for (let place = member.take(); place < jobs.length && !member.cancelled; place = member.take()) {
    const train = place === 0 ? leading : following;
    boosted.push({ place, ...train(member, jobs[place]!, betweenRounds) });
  }
  return boosted;
}

/** Trains the job that decides the rounds. Others wait for the decision, also when it fails. */
function leading(member: Member, job: BoostingJob, betweenRounds?: () => boolean): Boosted {
  let kept = 0;
  try {
    const boosted = boost(member.alone(), job, betweenRounds);
    kept = boosted.trees.length / job.scores;
    return boosted;
  } finally {
    member.rounds.decide(kept);
  }
}

function following(member: Member, job: BoostingJob, betweenRounds?: () => boolean): Boosted {
  return boost(member.alone(), job, betweenRounds, member.rounds);
}

/** The result of a training, the same for every member. */
export interface Boosted {
  /** Trees up to the best round. The trees of a round are adjacent, one for each class. */
  trees: readonly TreeNodes[];
  /** Mean log-loss on the validation rows after each round, including the rounds after the best; empty without patience. */
  losses: number[];
  cancelled: boolean;
}

/**
 * Runs a member's share of a training. Between two barriers each member writes only its own data: its blocks of rows, its
 * partial histograms, its winners.
 *
 * @param betweenRounds passed to one member only; returning true ends the training
 * @param decided how many rounds another training keeps, if that is how many this one keeps
 */
export function boost(
  member: Member,
  job: BoostingJob,
  betweenRounds?: () => boolean,
  decided?: Member['rounds'],
): Boosted {
  const space = workspaceOf(member, job);
  clearLists(space);
  if (!holdGradients(space.shape)) collectRecords(space, featuresOfTree(job, 0));
  const trees: GrownTree[] = [];
  const { rounds, patience, subsample } = job.parameters;
  const stopping = patience === null ? undefined : new EarlyStopping(patience);
  let sampled = sampleRows(space, 0);
  const isDone = (round: number) => stopping?.exhausted === true || round >= (decided?.known ?? rounds);
  for (let round = 0; round < rounds && !isDone(round); round++) {
    if (round > 0 && subsample < 1) sampled = sampleRows(space, round);
    trees.push(...growRound(space, round, sampled));
    if (betweenRounds?.() === true) member.cancel();
    if (stopping) measureValidation(space, trees.slice(-job.scores));
    member.barrier.wait();
    if (member.cancelled) return { trees, losses: stopping?.losses ?? [], cancelled: true };
    if (stopping?.add(meanLoss(space))) keepSums(space);
  }
  const kept = trees.slice(0, (stopping ? stopping.bestRound + 1 : (decided?.wait() ?? rounds)) * job.scores);
  if (!stopping) {
    scoreValidation(space, kept);
    keepSums(space);
  }
  return { trees: kept, losses: stopping?.losses ?? [], cancelled: false };
}

/** Kernels read lists past their end. Whatever is there must be a valid row number, initially 0. */
function clearLists({ views, layout: { sampled, lists, listBytes }, member }: Workspace): void {
  for (const list of [sampled, ...lists]) {
    const start = list + member.index * listBytes;
    views.u8.fill(0, start, start + listBytes);
  }
}

/** Lists this member's rows for a round, and returns their number. */
function sampleRows({ kernels, layout, member, job, trainingBlocks }: Workspace, round: number): number {
  const { subsample, seed } = job.parameters;
  const list = layout.sampled + member.index * layout.listBytes;
  const limit = Math.round(subsample * ALL_ROWS);
  let count = 0;
  for (const { from, count: rows } of trainingBlocks)
    count += kernels.sampleRows(from, from + rows, seedFor(seed, round), limit, list + 4 * count);
  return count;
}

/** Grows one tree for each class, all from the probabilities before the round. */
function growRound(space: Workspace, round: number, sampled: number): GrownTree[] {
  const { layout, job, trainingBlocks } = space;
  updateProbabilities(space, layout.training, trainingBlocks);
  const trees = Array.from({ length: job.scores }, (_, score) => {
    updateGradients(space, score);
    return growTree(space, sampled, featuresOfTree(job, round * job.scores + score));
  });
  for (const [score, tree] of trees.entries()) addTree(space, tree, score, layout.training, trainingBlocks);
  return trees;
}

function scoreValidation(space: Workspace, trees: readonly GrownTree[]): void {
  const { validation } = space.layout;
  for (const [i, tree] of trees.entries())
    addTree(space, tree, i % space.job.scores, validation, space.validationBlocks);
}

function measureValidation(space: Workspace, trees: readonly GrownTree[]): void {
  scoreValidation(space, trees);
  updateProbabilities(space, space.layout.validation, space.validationBlocks);
  measureBlocks(space);
}

/** Tracks a loss that should fall, and decides when to stop. */
class EarlyStopping {
  readonly #patience: number;
  readonly losses: number[] = [];
  /** The round with the lowest loss so far. */
  bestRound = -1;

  constructor(patience: number) {
    this.#patience = patience;
  }

  /** Adds the next round's loss. @returns whether this round is the best so far */
  add(loss: number): boolean {
    const isBest = this.bestRound === -1 || loss < this.losses[this.bestRound]!;
    this.losses.push(loss);
    if (isBest) this.bestRound = this.losses.length - 1;
    return isBest;
  }

  get exhausted(): boolean {
    return this.losses.length - 1 - this.bestRound >= this.#patience;
  }
}

/** Separates the random draws of features from those of rows. */
const FEATURES = -1;

/** The features that a tree may use, ascending: those with the smallest hashes, as many as the feature share allows. */
export function featuresOfTree(job: Pick<BoostingJob, 'binned' | 'parameters'>, tree: number): Uint32Array {
  const { features } = job.binned;
  const seed = seedFor(job.parameters.seed, FEATURES, tree);
  // Hashes have 31 bits, so a number holds one with the feature behind it.
  const byHash = Float64Array.from(
    { length: features },
    (_, feature) => rowHash(feature, seed) * features + feature,
  );
  const chosen = byHash.sort().subarray(0, usedFeatures(job));
  return Uint32Array.from(chosen, (hash) => hash % features).sort();
}
