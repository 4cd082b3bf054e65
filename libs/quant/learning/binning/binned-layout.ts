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
  /** Number of cuts of each feature, 32-bit. */
  cutCounts: number;
  /** `bins` 32-bit floats for each feature; only the first `cutCounts` are valid. */
  cuts: number;
  /** Bins feature by feature, one byte each, `columnStride` bytes apart. */
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
  const columnBytes = columnStride(rowCount);
  const table = {
    cutCounts: plan.take(4 * features),
    cuts: plan.take(4 * features * bins),
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
