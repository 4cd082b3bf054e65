import type { RowRange } from '#quant/panel/ranges.ts';
import { holdGradients } from '../kernels/records.ts';
import { GrownTree } from './grown-tree.ts';
import {
  searchFeature,
  readWinner,
  WINNER_BYTES,
  writeWinner,
  type NodeSums,
  type Split,
} from './split-search.ts';
import type { Workspace } from './workspace.ts';

/** A node for which the best split is searched. */
interface OpenNode {
  /** Its number in the tree. */
  id: number;
  /** Index of its histogram. */
  slot: number;
  /** This member's rows of the node: byte offset in the level's row list, and number of rows. */
  offset: number;
  count: number;
  /** Sums over all members' rows. */
  sums: NodeSums;
}

/**
 * Two children of one parent. One histogram is built from rows. The sibling's is the parent's less the built one, and
 * replaces the parent's in its slot. The root is built and has no sibling.
 */
interface Pair {
  built: OpenNode;
  sibling: OpenNode | null;
}

/** The nodes of pairs, in the order in which their splits are written and read. */
function openNodes(pairs: readonly Pair[]): OpenNode[] {
  return pairs.flatMap(({ built, sibling }) => (sibling ? [built, sibling] : [built]));
}

/**
 * Grows one tree, level by level, from the sampled rows and their gradients. Every member grows the same tree, each from its
 * own rows.
 *
 * @param sampledCount number of rows in this member's list of sampled rows
 * @param used the features that this tree may use, ascending
 */
export function growTree(space: Workspace, sampledCount: number, used: Uint32Array): GrownTree {
  const { layout, member } = space;
  if (holdGradients(space.shape)) collectRecords(space, used);
  const tree = new GrownTree();
  const listOf = (level: number) =>
    (level === 0 ? layout.sampled : layout.lists[level % 2]!) + member.index * layout.listBytes;
  const root = { id: 0, slot: 0, offset: 0, count: sampledCount, sums: { gradient: 0, hessian: 0 } };
  const slots = { used: 1 };
  let pairs: Pair[] = [{ built: root, sibling: null }];
  for (let level = 0; pairs.length > 0; level++) {
    buildHistograms(space, pairs, listOf(level));
    const found = findSplits(space, pairs, used);
    const isLast = level + 1 === space.job.parameters.depth;
    pairs = openNodes(pairs).flatMap((node, i) => {
      const children = splitNode(space, tree, node, found[i]!);
      if (isLast || children === null || !children.some(({ sums }) => canSplit(space, sums))) return [];
      partRows(space, node, children, found[i]!.split!, listOf(level), listOf(level + 1));
      return [pairOf(node, children, slots)];
    });
  }
  return tree;
}

type Children = [left: OpenNode, right: OpenNode];

/** Sets a node's value, or its split and the values of two children, whose rows are not partitioned yet. */
function splitNode(
  space: Workspace,
  tree: GrownTree,
  node: OpenNode,
  { split, sums }: FoundSplit,
): Children | null {
  tree.cover[node.id] = sums.hessian;
  if (split === null) {
    tree.value[node.id] = leafValue(space, sums);
    return null;
  }
  const left = tree.split(node.id, split.feature, split.bin, split.gain);
  const leftSums = { gradient: split.leftGradient, hessian: split.leftHessian };
  const rightSums = {
    gradient: sums.gradient - split.leftGradient,
    hessian: sums.hessian - split.leftHessian,
  };
  for (const [child, ofChild] of [leftSums, rightSums].entries()) {
    tree.value[left + child] = leafValue(space, ofChild);
    tree.cover[left + child] = ofChild.hessian;
  }
  const unparted = { slot: node.slot, offset: node.offset, count: 0 };
  return [
    { ...unparted, id: left, sums: leftSums },
    { ...unparted, id: left + 1, sums: rightSums },
  ];
}

/** The minimum of the objective times the learning rate: -η G / (H + λ). */
function leafValue({ job, rules }: Workspace, { gradient, hessian }: NodeSums): number {
  const curvature = hessian + rules.lambda;
  return curvature === 0 ? 0 : Math.fround((-job.parameters.learningRate * gradient) / curvature);
}

function canSplit({ rules }: Workspace, { hessian }: NodeSums): boolean {
  return hessian >= 2 * rules.minChildHessian;
}

/** Lists the left child's rows from the front of the node's range, and the right child's from its end. */
function partRows(
  { kernels, binned, job }: Workspace,
  node: OpenNode,
  [left, right]: Children,
  { feature, bin }: Split,
  from: number,
  to: number,
): void {
  const column = binned.columns + feature * binned.columnStride + job.rows.from;
  const count = kernels.partition(from + node.offset, node.count, column, bin, to + node.offset);
  left.count = count;
  right.offset += 4 * count;
  right.count = node.count - count;
}

/** Builds the child with the smaller sum of hessians, which usually has fewer rows. */
function pairOf(parent: OpenNode, [left, right]: Children, slots: { used: number }): Pair {
  const [built, sibling] = left.sums.hessian <= right.sums.hessian ? [left, right] : [right, left];
  built.slot = slots.used++;
  sibling.slot = parent.slot;
  return { built, sibling };
}

/** The best split of a node, or null when none gains enough, and the node's sums. */
interface FoundSplit {
  split: Split | null;
  sums: NodeSums;
}

/** Smaller gains are rounding. */
const MIN_GAIN = 1e-6;

/**
 * Finds the best split of every open node, in the order of `openNodes`. Each member searches some of the features over the
 * rows of all members; every member returns the same result. Uses two barriers: after histograms are built, and after winners
 * are written.
 *
 * @param used the features that this tree may use, ascending; histograms contain no others
 */
function findSplits(space: Workspace, pairs: readonly Pair[], used: Uint32Array): FoundSplit[] {
  const { member, layout, views, job } = space;
  const nodes = openNodes(pairs);
  const stride = WINNER_BYTES * layout.mostOpenNodes;
  const address = (by: number, node: number) => layout.winners + by * stride + node * WINNER_BYTES;

  member.barrier.wait();
  completeAll(space, pairs, used.length);
  for (const [i, node] of nodes.entries())
    writeWinner(views, address(member.index, i), bestSplit(space, node, used), node.sums);
  member.barrier.wait();

  const leastGain = Math.max(MIN_GAIN, job.parameters.gamma) * job.scale;
  return nodes.map((_, i) => {
    const { sums, ...split } = readWinner(views, address(0, i), stride, member.count);
    return { sums, split: split.gain > leastGain ? { ...split, gain: split.gain / job.scale } : null };
  });
}

function completeAll(space: Workspace, pairs: readonly Pair[], usedFeatures: number): void {
  const places = space.member.share(usedFeatures);
  for (const [i, pair] of pairs.entries()) {
    completeHistograms(space, i, pair, places);
    const isRoot = pair.sibling === null;
    if (isRoot && places.from < places.to) pair.built.sums = sumsOf(space, pair.built, places.from);
  }
}

function bestSplit(space: Workspace, node: OpenNode, used: Uint32Array): Split {
  const { views, job, rules } = space;
  const best: Split = { gain: 0, feature: 0, bin: 0, leftGradient: 0, leftHessian: 0 };
  const { from, to } = space.member.share(used.length);
  const cells = histogramOf(space, node);
  for (let place = from; place < to; place++) {
    const feature = used[place]!;
    const start = cells + place * job.binned.bins * CELL_WORDS;
    const cuts = views.i32[space.binned.cutCounts / 4 + feature]!;
    searchFeature(views.i32, start, cuts, feature, node.sums, rules, best);
  }
  return best;
}

/** Words of a cell: hessian, gradient. */
const CELL_WORDS = 2;

/** Builds partial histograms of each pair's built node from this member's rows. */
function buildHistograms(space: Workspace, pairs: readonly Pair[], list: number): void {
  const { kernels, views, layout, member } = space;
  for (const [i, { built }] of pairs.entries()) {
    const cells = partialHistogram(space, member.index, i, built);
    views.u8.fill(0, cells, cells + layout.histogramBytes);
    kernels.histogram(list + built.offset, built.count, layout.records, layout.gradients, cells);
  }
}

/** Collects what histograms read of this member's rows, for trees that may use these features. */
export function collectRecords(space: Workspace, used: Uint32Array): void {
  const { kernels, views, binned, layout, member, trainingBlocks } = space;
  const columns = layout.used + member.index * layout.usedBytes;
  const first = binned.columns + layout.training.firstRow;
  for (const [i, feature] of used.entries())
    views.u32[columns / 4 + i] = first + feature * binned.columnStride;
  for (const { from, count } of trainingBlocks)
    kernels.collectRecords(columns, from, from + count, layout.gradients, layout.records);
}

/**
 * Runs once every member has built its histograms. Sums the members' parts of pair i and subtracts the sum from the sibling's
 * histogram, for the features at `places`. Hessians and gradients are separate words here, so neither carries into the other.
 */
function completeHistograms(space: Workspace, i: number, { built, sibling }: Pair, places: RowRange): void {
  const { views, member, job } = space;
  const [from, to] = [places.from, places.to].map((place) => place * job.binned.bins * CELL_WORDS);
  const cells = histogramOf(space, built);
  for (let other = 1; other < member.count; other++) {
    const part = partialHistogram(space, other, i, built) / 4;
    for (let word = from!; word < to!; word++) views.i32[cells + word]! += views.i32[part + word]!;
  }
  if (sibling === null) return;
  const rest = histogramOf(space, sibling);
  for (let word = from!; word < to!; word++) views.i32[rest + word]! -= views.i32[cells + word]!;
}

/** Index of a node's histogram, in words. */
function histogramOf({ layout }: Workspace, node: OpenNode): number {
  return (layout.histograms + node.slot * layout.histogramBytes) / 4;
}

/** Sums of a node over all its rows. Any feature gives the same sums, because each row is in exactly one of its bins. */
function sumsOf(space: Workspace, node: OpenNode, place: number): NodeSums {
  const { bins } = space.job.binned;
  const start = histogramOf(space, node) + place * bins * CELL_WORDS;
  const sums = { gradient: 0, hessian: 0 };
  for (let bin = 0; bin < bins; bin++) {
    sums.hessian += space.views.i32[start + CELL_WORDS * bin]!;
    sums.gradient += space.views.i32[start + CELL_WORDS * bin + 1]!;
  }
  return sums;
}

/** Address where a member builds pair i. Member 0 builds directly in the node's histogram, which saves a copy. */
function partialHistogram({ layout }: Workspace, member: number, i: number, built: OpenNode): number {
  if (member === 0) return layout.histograms + built.slot * layout.histogramBytes;
  return layout.partial + ((member - 1) * layout.mostPairs + i) * layout.histogramBytes;
}
