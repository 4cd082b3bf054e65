import type { TreeEnsemble } from '../tree-ensemble.ts';
import { BRANCH_BYTES, CHUNK_ROWS, writeBranch } from '../kernels/add-tree.ts';
import type { MemoryViews } from '../kernels/kernel-memory.ts';

/** What the nodes of a tree hold, one entry each, as threads send it to one another. */
export type TreeNodes = Pick<GrownTree, 'feature' | 'bin' | 'left' | 'value' | 'gain' | 'cover'>;

/** A tree over binned features. Node 0 is its root; the right child of a branch follows the left one. */
export class GrownTree {
  /** -1 for a leaf. */
  readonly feature: number[] = [];
  readonly bin: number[] = [];
  readonly left: number[] = [];
  /** What a leaf adds to the score; 0 for a branch. */
  readonly value: number[] = [];
  /** What a branch took off the objective; 0 for a leaf. */
  readonly gain: number[] = [];
  /** Sum of the hessians of the rows it was grown from, in the units of the fixed-point sums. */
  readonly cover: number[] = [];

  constructor() {
    this.#addNode();
  }

  get nodeCount(): number {
    return this.feature.length;
  }

  /** Turns a leaf into a branch over two new leaves; returns the left one's number. */
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

/** Where a tree stands ready to be scored. */
interface TreeProgram {
  branches: number;
  branchCount: number;
  root: number;
  values: number;
}

/** Bytes a tree of so many nodes needs: its branches, a slot and a value for each node. */
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

/** Trees over bins as trees over values: the bin up to which rows go left becomes the cut that ends it. */
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
