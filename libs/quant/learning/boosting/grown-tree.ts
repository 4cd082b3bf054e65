import type { TreeEnsemble } from '../tree-ensemble.ts';
import { BRANCH_BYTES, CHUNK_ROWS, writeBranch } from '../kernels/add-tree.ts';
import type { MemoryViews } from '../kernels/kernel-memory.ts';

/** Arrays over a tree's nodes, as threads send them to each other. */
export type TreeNodes = Pick<GrownTree, 'feature' | 'bin' | 'left' | 'value' | 'gain' | 'cover'>;

/** A tree over binned features. Node 0 is the root; the right child of a branch follows the left child. */
export class GrownTree {
  /** -1 for a leaf. */
  readonly feature: number[] = [];
  readonly bin: number[] = [];
  readonly left: number[] = [];
  /** Value that a leaf adds to the score; 0 for a branch. */
  readonly value: number[] = [];
  /** Decrease of the objective by a branch; 0 for a leaf. */
  readonly gain: number[] = [];
  /** Sum of the hessians of the node's training rows, in fixed-point units. */
  readonly cover: number[] = [];

  constructor() {
    this.#addNode();
  }

  get nodeCount(): number {
    return this.feature.length;
  }

  /** Turns a leaf into a branch with two new leaves. Returns the index of the left one. */
  split(node: number, feature: number, bin: number, gain: number): number {
    const left = this.nodeCount;
    this.#addNode();
    this.#addNode();
    this.feature[node] = feature;
    this.bin[node] = bin;
    this.left[node] = left;
    this.gain[node] = gain;
    this.value[node] = 0;
    return left;
  }

  #addNode(): void {
    this.feature.push(-1);
    this.bin.push(0);
    this.left.push(-1);
    this.value.push(0);
    this.gain.push(0);
    this.cover.push(0);
  }
}

/** Addresses of a tree that is ready for scoring. */
interface TreeProgram {
  branches: number;
  branchCount: number;
  root: number;
  values: number;
}

/** Bytes needed for a tree with this many nodes: its branches, and a slot and a value for each node. */
export function programBytes(nodes: number): number {
  return nodes * (BRANCH_BYTES + CHUNK_ROWS + 4);
}

/** Writes a tree as a program over the columns of a binned table. */
export function writeProgram(
  { u8, i32, f32 }: MemoryViews,
  address: number,
  tree: GrownTree,
  columns: number,
  columnStride: number,
): TreeProgram {
  const slots = address;
  const values = slots + tree.nodeCount * CHUNK_ROWS;
  const branches = values + 4 * tree.nodeCount;
  const slot = (node: number) => slots + node * CHUNK_ROWS;
  let [leaves, branchCount] = [0, 0];
  for (let node = tree.nodeCount - 1; node >= 0; node--) {
    const feature = tree.feature[node]!;
    if (feature === -1) {
      u8.fill(leaves, slot(node), slot(node) + CHUNK_ROWS);
      f32[values / 4 + leaves++] = tree.value[node]!;
      continue;
    }
    const left = tree.left[node]!;
    writeBranch(i32, branches + BRANCH_BYTES * branchCount++, {
      column: columns + feature * columnStride,
      bin: tree.bin[node]!,
      left: slot(left),
      right: slot(left + 1),
      out: slot(node),
    });
  }
  return { branches, branchCount, root: slot(0), values };
}

/** Converts trees over bins to trees over values: the last bin that goes left becomes the cut at its upper end. */
export function ensembleOf(
  trees: readonly TreeNodes[],
  baseScores: readonly number[],
  featureNames: readonly string[],
  cuts: readonly Float32Array[],
): TreeEnsemble {
  const joined = (of: (tree: TreeNodes) => readonly number[]) => trees.flatMap(of);
  const feature = Int32Array.from(joined((tree) => tree.feature));
  const bin = joined((tree) => tree.bin);
  let start = 0;
  return {
    featureNames,
    scores: baseScores.length,
    baseScores: Float32Array.from(baseScores),
    treeStarts: Uint32Array.from([0, ...trees.map((tree) => (start += tree.feature.length))]),
    feature,
    cut: Float32Array.from(feature, (f, node) => (f === -1 ? 0 : cuts[f]![bin[node]!]!)),
    left: Int32Array.from(joined((tree) => tree.left)),
    value: Float32Array.from(joined((tree) => tree.value)),
    gain: Float32Array.from(joined((tree) => tree.gain)),
    cover: Float32Array.from(joined((tree) => tree.cover)),
  };
}
