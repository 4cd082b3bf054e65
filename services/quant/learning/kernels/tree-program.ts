/**
 * A tree as the kernel that scores rows runs it: its branches from the leaves up, each choosing, for many rows at
 * once, between what its two children have come to.
 */

/** Rows a branch is decided for at a time. */
export const CHUNK_ROWS = 128;

/** Leaf numbers are bytes. */
export const MOST_LEAVES = 256;

/** 32-bit words of a branch: the five addresses and numbers of {@link Branch}, in their order. */
export const BRANCH_BYTES = 20;

/** Addresses are bytes; a slot holds the leaf numbers that {@link CHUNK_ROWS} rows have come to, a byte each. */
export interface Branch {
  /** Bins of its feature, by row. */
  column: number;
  /** The bin up to which a row goes left. */
  bin: number;
  left: number;
  right: number;
  /** The slot it writes. */
  out: number;
}

export function writeBranch(
  i32: Int32Array,
  address: number,
  { column, bin, left, right, out }: Branch,
): void {
  i32.set([column, bin, left, right, out], address / 4);
}
