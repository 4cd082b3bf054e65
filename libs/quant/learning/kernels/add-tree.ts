import { wasmFunction, type WasmFunction } from '../assembler/module.ts';

const VECTOR_BYTES = 16;

/**
 * addTree(branches, count, root, values, from, to, scores): for each of rows from … to - 1, adds the value of the row's leaf
 * to its score.
 *
 * `branches` are `count` branches, children before their parents; the slots of leaves already hold the leaf numbers. `root`
 * is the slot of the root, `values` one 32-bit float for each leaf. Walking down the tree takes a dozen instructions per
 * level and row. Deciding every branch for sixteen rows at a time takes less than half of that in total, for trees of the
 * usual depth. Bins are read up to a chunk past the last row.
 */
export function addTreeKernel(): WasmFunction {
  return wasmFunction(
    'addTree',
    ['i32', 'i32', 'i32', 'i32', 'i32', 'i32', 'i32'],
    ({ code, i32, i32x4, u8x16, f32 }, branches, count, root, values, from, to, scores) => {
      const end = i32.add(branches, i32.mul(count, BRANCH_BYTES));
      const score = code.variable(i32.add(scores, i32.shiftLeft(from, 2)));
      code.loop(from, i32.add(from, i32.roundUp(i32.sub(to, from), CHUNK_ROWS)), CHUNK_ROWS, (chunk) => {
        code.loop(branches, end, BRANCH_BYTES, (branch) => {
          const column = i32.add(i32.load(branch), chunk);
          const bin = u8x16.splat(i32.load(branch, 4));
          const [left, right, out] = [i32.load(branch, 8), i32.load(branch, 12), i32.load(branch, 16)];
          for (let at = 0; at < CHUNK_ROWS; at += VECTOR_BYTES) {
            const goesLeft = u8x16.atMost(i32x4.load(column, at), bin);
            const leaf = i32x4.select(goesLeft, i32x4.load(left, at), i32x4.load(right, at));
            i32x4.store(out, leaf, at);
          }
        });
        const rows = i32.min(i32.sub(to, chunk), CHUNK_ROWS);
        code.loop(root, i32.add(root, rows), 1, (leaf) => {
          const value = f32.load(i32.add(values, i32.shiftLeft(i32.loadByte(leaf), 2)));
          f32.store(score, f32.add(f32.load(score), value));
          code.assign(score, i32.add(score, 4));
        });
      });
    },
  );
}

/**
 * The form of a tree that the scoring kernel runs: its branches from the leaves upwards. Each branch selects, for many rows
 * at the same time, between the results of its two children.
 */

/** Number of rows for which a branch is decided at a time. */
export const CHUNK_ROWS = 128;

/** Leaf numbers are stored in bytes. */
export const MAX_LEAVES = 256;

/** Size of a branch in bytes: the five fields of {@link Branch} in order, each a 32-bit word. */
export const BRANCH_BYTES = 20;

/** Addresses are in bytes. A slot holds the leaf numbers that {@link CHUNK_ROWS} rows have reached, one byte each. */
interface Branch {
  /** Address of the bins of its feature, by row. */
  column: number;
  /** The last bin that goes left. */
  bin: number;
  left: number;
  right: number;
  /** The slot that it writes. */
  out: number;
}

export function writeBranch(
  i32: Int32Array,
  address: number,
  { column, bin, left, right, out }: Branch,
): void {
  i32.set([column, bin, left, right, out], address / 4);
}
