import { writeProgram, type GrownTree } from './grown-tree.ts';
import { blockCount, type RowColumns, type RowBlock } from './job.ts';
import type { Workspace } from './workspace.ts';

/** Rounds up to a multiple of four: kernels process four rows at a time, and columns are padded for that. */
function inFours(count: number): number {
  return Math.ceil(count / 4) * 4;
}

/** Computes the probabilities of these rows from their sums. */
export function updateProbabilities(
  { kernels, layout }: Workspace,
  rows: RowColumns,
  blocks: readonly RowBlock[],
): void {
  for (const { from, count } of blocks) {
    const [sums, out] = [rows.sums + 4 * from, rows.probabilities + 4 * from];
    kernels.probabilities(sums, inFours(count), rows.stride, layout.baseScores, out);
  }
}

/** Computes the packed gradients of this member's training rows for one score. */
export function updateGradients({ kernels, layout, trainingBlocks, job }: Workspace, score: number): void {
  const { probabilities, labels, weights, stride } = layout.training;
  const label = job.scores === 1 ? 1 : score;
  for (const { from, count } of trainingBlocks) {
    const at = 4 * from;
    kernels.gradients(
      probabilities + score * stride + at,
      labels + at,
      weights + at,
      label,
      inFours(count),
      layout.gradients + at,
    );
  }
}

/** Adds a tree to the sums of one score, for these rows. */
export function addTree(
  { kernels, views, layout, member, binned }: Workspace,
  tree: GrownTree,
  score: number,
  rows: RowColumns,
  blocks: readonly RowBlock[],
): void {
  const address = layout.programs + member.index * layout.programBytes;
  const columns = binned.columns + rows.firstRow;
  const { branches, branchCount, root, values } = writeProgram(
    views,
    address,
    tree,
    columns,
    binned.columnStride,
  );
  const sums = rows.sums + score * rows.stride;
  for (const { from, count } of blocks)
    kernels.addTree(branches, branchCount, root, values, from, from + count, sums);
}

/** Writes the summed loss of each of this member's blocks of validation rows. */
export function measureBlocks({ kernels, views, layout, validationBlocks }: Workspace): void {
  const { probabilities, stride, labels, weights } = layout.validation;
  for (const { index, from, count } of validationBlocks) {
    const at = 4 * from;
    const loss = kernels.logLoss(probabilities + at, stride, labels + at, weights + at, inFours(count));
    views.f64[layout.losses / 8 + index] = loss;
  }
}

/** Mean loss over all validation rows. Summed by block, so it does not depend on which member measured a block. */
export function meanLoss({ views, layout, job }: Workspace): number {
  const blocks = blockCount(layout.validation.rowCount);
  let sum = 0;
  for (let block = 0; block < blocks; block++) sum += views.f64[layout.losses / 8 + block]!;
  return sum / job.validationWeight;
}

/** Saves this member's sums of validation rows as those of the best round. */
export function keepSums({ views, layout, validationBlocks, job }: Workspace): void {
  const { sums, stride } = layout.validation;
  for (let score = 0; score < job.scores; score++) {
    for (const { from, count } of validationBlocks) {
      const at = score * stride + 4 * from;
      views.u8.copyWithin(layout.bestSums + at, sums + at, sums + at + 4 * count);
    }
  }
}
