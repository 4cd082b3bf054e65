import type { MemoryViews } from '../kernels/memory-views.ts';
import { rowHash } from '../kernels/row-hash.ts';
import { ALL_ROWS } from '../kernels/sample-rows.ts';
import type { RowRange } from '#quant/panel/row-range.ts';
import type { Member } from '../threads/member.ts';
import { BinTable } from './bin-table.ts';
import { type BinnedShape, binnedLayout } from './binned-layout.ts';
import { equalFrequencyCuts } from './cuts.ts';
import { ascendingOrder } from '../sorting/ascending-order.ts';

/** Rows that are binned for all features before the next: their row-major bins stay in the nearest cache. */
const BLOCK_ROWS = 1_024;

/** The matrix lies in the members' memory: sent to them, it would stay alive until their idle heaps are collected. */
export interface BinningJob extends BinnedShape {
  /** Rows the cuts are chosen from, and how many of them at most, about. */
  cutRows: RowRange;
  sampleRows: number;
  seed: number;
}

/**
 * A member's share of binning a matrix: the cuts of some features, and then the bins of some rows.
 *
 * @returns false when a value of the matrix is not finite, and the table is of no use
 */
export function binRows(member: Member, job: BinningJob): boolean {
  const views = member.views();
  cutFeatures(views, job, member.share(job.features));
  member.barrier.wait();
  if (!fillTable(views, job, member.share(job.rowCount))) member.cancel();
  member.barrier.wait();
  return !member.cancelled;
}

/** Where the matrix is to lie while it is binned: one feature after the other. */
export function valuesToBin({ f32 }: MemoryViews, shape: BinnedShape): Float32Array {
  const { values, endOfValues } = binnedLayout(shape);
  return f32.subarray(values / 4, endOfValues / 4).subarray(0, shape.rowCount * shape.features);
}

function cutFeatures(views: MemoryViews, job: BinningJob, features: RowRange): void {
  const { f32, i32 } = views;
  const layout = binnedLayout(job);
  const values = valuesToBin(views, job);
  const sampled = sampledRows(job);
  for (let feature = features.from; feature < features.to; feature++) {
    const column = values.subarray(feature * job.rowCount, (feature + 1) * job.rowCount);
    const sample = finiteValues(column, sampled);
    const cuts = equalFrequencyCuts(sample, ascendingOrder(sample), job.bins);
    i32[layout.cutCounts / 4 + feature] = cuts.length;
    f32.set(cuts, layout.cuts / 4 + feature * job.bins);
  }
}

function sampledRows({ cutRows: { from, to }, sampleRows, seed }: BinningJob): Uint32Array {
  const limit = Math.min(1, sampleRows / (to - from)) * ALL_ROWS;
  const rows = new Uint32Array(to - from);
  let count = 0;
  for (let row = from; row < to; row++) {
    if (rowHash(row, seed) < limit) rows[count++] = row;
  }
  return rows.subarray(0, count);
}

function finiteValues(column: Float32Array, rows: Uint32Array): Float32Array {
  const values = new Float32Array(rows.length);
  let count = 0;
  for (let i = 0; i < rows.length; i++) {
    const value = column[rows[i]!]!;
    if (Number.isFinite(value)) values[count++] = value;
  }
  return values.subarray(0, count);
}

function fillTable(views: MemoryViews, job: BinningJob, { from, to }: RowRange): boolean {
  const { rowCount, features } = job;
  const layout = binnedLayout(job);
  const values = valuesToBin(views, job);
  const bits = new Uint16Array(values.buffer, values.byteOffset, 2 * values.length);
  const tables = Array.from({ length: features }, (_, feature) => new BinTable(cutsOf(views, job, feature)));
  let finite = true;
  for (let start = from; start < to; start += BLOCK_ROWS) {
    const end = Math.min(to, start + BLOCK_ROWS);
    for (const [feature, table] of tables.entries()) {
      const [first, last] = [feature * rowCount + start, feature * rowCount + end];
      const binned = layout.columns + feature * layout.columnStride;
      const column = views.u8.subarray(binned + start, binned + end);
      finite =
        table.assign(values.subarray(first, last), bits.subarray(2 * first, 2 * last), column) && finite;
      spread(column, views.u8, layout.rows + start * layout.rowStride + feature, layout.rowStride);
    }
  }
  return finite;
}

/** The cuts of a feature, copied. */
export function cutsOf({ f32, i32 }: MemoryViews, shape: BinnedShape, feature: number): Float32Array {
  const layout = binnedLayout(shape);
  const start = layout.cuts / 4 + feature * shape.bins;
  return f32.slice(start, start + i32[layout.cutCounts / 4 + feature]!);
}

function spread(column: Uint8Array, out: Uint8Array, start: number, stride: number): void {
  for (let i = 0, at = start; i < column.length; i++, at += stride) out[at] = column[i]!;
}
