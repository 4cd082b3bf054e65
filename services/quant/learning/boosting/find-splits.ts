import { CELL_WORDS, completeHistograms, histogramOf, sumsOf } from './node-histograms.ts';
import { openNodes, type OpenNode, type Pair } from './open-nodes.ts';
import { searchFeature, type Split } from './split-search.ts';
import { type NodeSums, readWinner, WINNER_BYTES, writeWinner } from './winners.ts';
import type { Workspace } from './workspace.ts';

/** The split of a node, or null where none gains enough, and the node's sums. */
export interface FoundSplit {
  split: Split | null;
  sums: NodeSums;
}

/** A gain below this is rounding. */
const LEAST_GAIN = 1e-6;

/**
 * Finds the best split of every open node, in the order of `openNodes`. Each member searches some of the features,
 * over the rows of all; every member returns the same. Two barriers: histograms built, winners written.
 *
 * @param used 1 for each feature that this tree may use
 */
export function findSplits(space: Workspace, pairs: readonly Pair[], used: Uint8Array): FoundSplit[] {
  const { member, layout, views, job } = space;
  const nodes = openNodes(pairs);
  const stride = WINNER_BYTES * layout.mostOpenNodes;
  const address = (by: number, node: number) => layout.winners + by * stride + node * WINNER_BYTES;

  member.barrier.wait();
  completeAll(space, pairs);
  for (const [i, node] of nodes.entries())
    writeWinner(views, address(member.index, i), bestSplit(space, node, used), node.sums);
  member.barrier.wait();

  const leastGain = Math.max(LEAST_GAIN, job.parameters.gamma) * job.scale;
  return nodes.map((_, i) => {
    const { sums, ...split } = readWinner(views, address(0, i), stride, member.count);
    return { sums, split: split.gain > leastGain ? { ...split, gain: split.gain / job.scale } : null };
  });
}

function completeAll(space: Workspace, pairs: readonly Pair[]): void {
  const features = space.member.share(space.job.binned.features);
  for (const [i, pair] of pairs.entries()) {
    completeHistograms(space, i, pair, features);
    const isRoot = pair.sibling === null;
    if (isRoot && features.from < features.to) pair.built.sums = sumsOf(space, pair.built, features.from);
  }
}

function bestSplit(space: Workspace, node: OpenNode, used: Uint8Array): Split {
  const { views, job, rules } = space;
  const best: Split = { gain: 0, feature: 0, bin: 0, leftGradient: 0, leftHessian: 0 };
  const { from, to } = space.member.share(job.binned.features);
  const cells = histogramOf(space, node);
  for (let feature = from; feature < to; feature++) {
    if (used[feature] === 0) continue;
    const start = cells + feature * job.binned.bins * CELL_WORDS;
    const cuts = views.i32[space.binned.cutCounts / 4 + feature]!;
    searchFeature(views.i32, start, cuts, feature, node.sums, rules, best);
  }
  return best;
}
