import { AddressPlan } from '../kernels/kernel-memory.ts';

/** Size of a binned table. */
export interface BinnedShape {
  rowCount: number;
  features: number;
  /** Bins a feature may have, 2 to 256; also the cells it has in a histogram. */
  bins: number;
}

/** Where a binned table lies in the trainer's memory, bytes. */
export interface BinnedLayout {
  rowStride: number;
  /** Number of cuts of each feature, 32-bit. */
  cutCounts: number;
  /** `bins` 32-bit floats for each feature, of which the first `cutCounts` mean something. */
  cuts: number;
  /** Bins of one row after the other, a byte each, for histograms: one row, one cache line. */
  rows: number;
  /** Bins of one feature after the other, `columnStride` bytes apart, for parting rows by a feature. */
  columns: number;
  columnStride: number;
  /** Where the table ends. */
  end: number;
  /** The matrix itself, one feature after the other, while it is binned; what comes after the table is free again then. */
  values: number;
  endOfValues: number;
}

export function binnedLayout({ rowCount, features, bins }: BinnedShape): BinnedLayout {
  const plan = new AddressPlan();
  const stride = rowStride(features);
  const columnBytes = columnStride(rowCount);
  const table = {
    rowStride: stride,
    cutCounts: plan.take(4 * features),
    cuts: plan.take(4 * features * bins),
    rows: plan.take(rowCount * stride),
    columns: plan.take(features * columnBytes),
    columnStride: columnBytes,
    end: plan.end,
  };
  return { ...table, values: plan.take(4 * rowCount * features), endOfValues: plan.end };
}

/**
 * Whole lines of 64 bytes, so that vectors of a column are aligned, and an odd number of them, so that the same rows
 * of many columns never compete for one place in the cache.
 */
function columnStride(rowCount: number): number {
  return (Math.ceil(rowCount / 64) | 1) * 64;
}

/** A power of two up to 64, then whole lines of 64: a row of up to 64 features never lies on two cache lines. */
function rowStride(features: number): number {
  return features > 64 ? Math.ceil(features / 64) * 64 : 2 ** Math.ceil(Math.log2(features));
}
