import { binnedLayout } from '../binning/binned-layout.ts';
import { AddressPlan } from '../kernels/address-plan.ts';
import { CELL_BYTES, TOUCH_ROWS } from '../kernels/histogram.ts';
import type { RowRange } from '#quant/panel/row-range.ts';
import type { BoostingJob } from './job.ts';
import { blockCount, mostBlockRows } from './row-blocks.ts';
import { programBytes } from './tree-program.ts';
import { WINNER_BYTES } from './winners.ts';

/** Columns over some rows of the table, counted from 0 and padded to a multiple of 4, bytes. */
export interface RowColumns {
  rowCount: number;
  /** The first of them in the table. */
  firstRow: number;
  /** 32-bit labels, and weights that hold the fixed-point scale already. */
  labels: number;
  weights: number;
  /** 32-bit floats, one class after the other, `stride` bytes apart: sums of leaf values, without the base score. */
  sums: number;
  probabilities: number;
  stride: number;
}

/** Where a training's data lie in the memory, behind the binned table. Lists of each member follow each other. */
export interface BoostingLayout {
  training: RowColumns;
  validation: RowColumns;
  /** Base scores, 32-bit floats. */
  baseScores: number;
  /** Packed gradients of the training rows. */
  gradients: number;
  /** Sums of the validation rows at the best round. */
  bestSums: number;
  /** Summed log-loss of each block of validation rows. */
  losses: number;
  /** Row lists: those sampled for a round, and two more that a tree's levels use in turn. */
  sampled: number;
  lists: readonly [number, number];
  listBytes: number;
  /** Histograms of nodes, `histogramBytes` each, and those that other members than the first add to them. */
  histograms: number;
  partial: number;
  histogramBytes: number;
  /** Pairs and nodes that can be open at a level. */
  mostPairs: number;
  mostOpenNodes: number;
  /** Best splits by member and node. */
  winners: number;
  /** A finished tree as it is scored, by member. */
  programs: number;
  programBytes: number;
  end: number;
}

export function boostingLayout(job: BoostingJob, members: number): BoostingLayout {
  const binned = binnedLayout(job.binned);
  const plan = new AddressPlan(binned.end);
  const { depth } = job.parameters;
  const listBytes = 4 * (mostBlockRows(job.rows.to - job.rows.from, members) + 2 * TOUCH_ROWS);
  const histogramBytes = job.binned.features * job.binned.bins * CELL_BYTES;
  const mostPairs = 2 ** Math.max(0, depth - 2);
  const mostOpenNodes = 2 ** (depth - 1);
  const mostProgramBytes = programBytes(2 ** (depth + 1));
  const rowColumns = ({ from, to }: RowRange): RowColumns => {
    const stride = 4 * inFours(to - from);
    return {
      rowCount: to - from,
      firstRow: from,
      labels: plan.take(stride),
      weights: plan.take(stride),
      sums: plan.take(stride * job.scores),
      probabilities: plan.take(stride * job.scores),
      stride,
    };
  };
  const validation = rowColumns(job.validation);
  return {
    training: rowColumns(job.rows),
    validation,
    baseScores: plan.take(4 * job.scores),
    gradients: plan.take(4 * inFours(job.rows.to - job.rows.from)),
    bestSums: plan.take(validation.stride * job.scores),
    losses: plan.take(8 * blockCount(validation.rowCount)),
    sampled: plan.take(members * listBytes),
    lists: [plan.take(members * listBytes), plan.take(members * listBytes)],
    listBytes,
    histograms: plan.take(mostOpenNodes * histogramBytes),
    partial: plan.take((members - 1) * mostPairs * histogramBytes),
    histogramBytes,
    mostPairs,
    mostOpenNodes,
    winners: plan.take(members * mostOpenNodes * WINNER_BYTES),
    programs: plan.take(members * mostProgramBytes),
    programBytes: mostProgramBytes,
    end: plan.end,
  };
}

function inFours(rows: number): number {
  return Math.ceil(rows / 4) * 4;
}
