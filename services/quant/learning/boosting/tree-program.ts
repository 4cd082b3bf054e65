import type { MemoryViews } from '../kernels/memory-views.ts';
import { BRANCH_BYTES, CHUNK_ROWS, writeBranch } from '../kernels/tree-program.ts';
import type { GrownTree } from './grown-tree.ts';

/** Where a tree stands ready to be scored. */
export interface TreeProgram {
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
