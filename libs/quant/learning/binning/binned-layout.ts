import { AddressPlan } from '../kernels/kernel-memory.ts';

/** Size of a binned table. */
export interface BinnedShape {
  rowCount: number;
  features: number;
  /** Maximum bins of a feature, 2 to 256; also its number of cells in a histogram. */
  bins: number;
}

/** Addresses of a binned table in the trainer's memory, in bytes. */
export interface BinnedLayout {
  rowStride: number;
  /** Number of cuts of each feature, 32-bit. */
  cutCounts: number;
  /** `bins` 32-bit floats for each feature; only the first `cutCounts` are valid. */
  cuts: number;
  /** Bins row by row, one byte each, for histograms: one row, one cache line. */
  rows: number;
  /** Bins feature by feature, `columnStride` bytes apart, for partitioning rows by a feature. */
  columns: number;
  columnStride: number;
  /** First byte after the table. */
  end: number;
  /** The matrix itself during binning, one feature after the other. Everything after the table is free again afterwards. */
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
 * Whole lines of 64 bytes, so that vectors of a column are aligned. An odd number of lines, so that the same rows of many
 * columns do not compete for one place in the cache.
 */
function columnStride(rowCount: number): number {
  return (Math.ceil(rowCount / 64) | 1) * 64;
}

/** A power of two up to 64, then multiples of 64: a row of up to 64 features never spans two cache lines. */
function rowStride(features: number): number {
  return features > 64 ? Math.ceil(features / 64) * 64 : 2 ** Math.ceil(Math.log2(features));
}
