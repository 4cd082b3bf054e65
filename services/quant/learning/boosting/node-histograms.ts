import type { RowRange } from '#quant/panel/row-range.ts';
import type { OpenNode, Pair } from './open-nodes.ts';
import type { NodeSums } from './winners.ts';
import type { Workspace } from './workspace.ts';

/** Words of a cell: hessian, gradient. */
export const CELL_WORDS = 2;

/** Adds up this member's rows of each pair's built node. */
export function buildHistograms(space: Workspace, pairs: readonly Pair[], list: number): void {
  const { kernels, views, layout, member, binned } = space;
  const bins = binned.rows + layout.training.firstRow * binned.rowStride;
  for (const [i, { built }] of pairs.entries()) {
    const cells = partialHistogram(space, member.index, i, built);
    views.u8.fill(0, cells, cells + layout.histogramBytes);
    kernels.histogram(list + built.offset, built.count, bins, layout.gradients, cells);
  }
}

/**
 * Once every member has built: adds their parts of pair i together and takes the sum off the sibling's, over some
 * features. Hessians and gradients are added word by word, for neither carries into the other.
 */
export function completeHistograms(
  space: Workspace,
  i: number,
  { built, sibling }: Pair,
  features: RowRange,
): void {
  const { views, member, job } = space;
  const [from, to] = [features.from, features.to].map((feature) => feature * job.binned.bins * CELL_WORDS);
  const cells = histogramOf(space, built);
  for (let other = 1; other < member.count; other++) {
    const part = partialHistogram(space, other, i, built) / 4;
    for (let word = from!; word < to!; word++) views.i32[cells + word]! += views.i32[part + word]!;
  }
  if (sibling === null) return;
  const rest = histogramOf(space, sibling);
  for (let word = from!; word < to!; word++) views.i32[rest + word]! -= views.i32[cells + word]!;
}

/** Where a node's histogram lies, in words. */
export function histogramOf({ layout }: Workspace, node: OpenNode): number {
  return (layout.histograms + node.slot * layout.histogramBytes) / 4;
}

/** Sums of a node over all its rows, each of which lies in one bin of any feature. */
export function sumsOf(space: Workspace, node: OpenNode, feature: number): NodeSums {
  const { bins } = space.job.binned;
  const start = histogramOf(space, node) + feature * bins * CELL_WORDS;
  const sums = { gradient: 0, hessian: 0 };
  for (let bin = 0; bin < bins; bin++) {
    sums.hessian += space.views.i32[start + CELL_WORDS * bin]!;
    sums.gradient += space.views.i32[start + CELL_WORDS * bin + 1]!;
  }
  return sums;
}

/** Where a member adds up pair i. The first does so in the node's own place, which saves a copy. */
function partialHistogram({ layout }: Workspace, member: number, i: number, built: OpenNode): number {
  if (member === 0) return layout.histograms + built.slot * layout.histogramBytes;
  return layout.partial + ((member - 1) * layout.mostPairs + i) * layout.histogramBytes;
}
