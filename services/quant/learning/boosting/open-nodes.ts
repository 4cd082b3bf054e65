import type { NodeSums } from './winners.ts';

/** A node whose best split is looked for. */
export interface OpenNode {
  /** Its number in the tree. */
  id: number;
  /** Which histogram is its own. */
  slot: number;
  /** This member's rows of it: a stretch of the level's row list, in bytes from its beginning, and how many. */
  offset: number;
  count: number;
  /** Over all members' rows. */
  sums: NodeSums;
}

/**
 * Two children of one parent. The histogram of one is built from its rows; that of its sibling is what is left of
 * the parent's, whose place it takes. The root is built and has no sibling.
 */
export interface Pair {
  built: OpenNode;
  sibling: OpenNode | null;
}

/** The nodes of pairs, in the order in which their splits are written and read. */
export function openNodes(pairs: readonly Pair[]): OpenNode[] {
  return pairs.flatMap(({ built, sibling }) => (sibling ? [built, sibling] : [built]));
}
