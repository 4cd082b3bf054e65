import {
  findSplits,
  buildHistograms,
  openNodes,
  type FoundSplit,
  type OpenNode,
  type Pair,
} from './node-splits.ts';
import { GrownTree } from './grown-tree.ts';
import type { Split, NodeSums } from './split-search.ts';
import type { Workspace } from './workspace.ts';

/**
 * Grows one tree, level by level, from the sampled rows and their gradients. Every member grows the same tree, each
 * from its own rows.
 *
 * @param sampledCount how many rows this member's list of sampled rows has
 * @param used the features that this tree may use, ascending
 */
export function growTree(space: Workspace, sampledCount: number, used: Uint32Array): GrownTree {
  const { layout, member, views } = space;
  views.u32.set(used, (layout.used + member.index * layout.usedBytes) / 4);
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

/** Gives a node its value, or its split and the values of two children, whose rows are not parted yet. */
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

/** The minimum of the objective, a share of the way there: -η G / (H + λ). */
function leafValue({ job, rules }: Workspace, { gradient, hessian }: NodeSums): number {
  const curvature = hessian + rules.lambda;
  return curvature === 0 ? 0 : Math.fround((-job.parameters.learningRate * gradient) / curvature);
}

function canSplit({ rules }: Workspace, { hessian }: NodeSums): boolean {
  return hessian >= 2 * rules.minChildHessian;
}

/** Lists the left child's rows from the front of the node's stretch and the right one's from its end. */
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

/** The child with fewer hessians, and so fewer rows, is built. */
function pairOf(parent: OpenNode, [left, right]: Children, slots: { used: number }): Pair {
  const [built, sibling] = left.sums.hessian <= right.sums.hessian ? [left, right] : [right, left];
  built.slot = slots.used++;
  sibling.slot = parent.slot;
  return { built, sibling };
}
