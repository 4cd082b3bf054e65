import type { RowRange } from '#quant/panel/ranges.ts';
import type { Member } from '../kernels/member.ts';
import type { MemoryViews } from '../kernels/kernel-memory.ts';
import { rowHash, ALL_ROWS } from '../kernels/row-lists.ts';
import { orderedKey } from '../ascending-order.ts';
import { distinctRuns, type DistinctRuns } from './distinct-runs.ts';
import { binnedLayout, type BinnedShape } from './binned-layout.ts';

/** About how many rows the cuts are chosen from at most. */
const SAMPLE_ROWS = 50_000;
const SAMPLE_SEED = 1;

/** The matrix is placed in the members' memory. Sent as a message, it would stay alive until their idle heaps are collected. */
export interface BinningJob extends BinnedShape {
  /** Rows from which the cuts are chosen. */
  cutRows: RowRange;
}

/**
 * A member's share of binning a matrix: first the cuts of some features, then the bins of some rows.
 *
 * @returns false when a value of the matrix is not finite; the table is then unusable
 */
export function binRows(member: Member, job: BinningJob): boolean {
  const views = member.views();
  cutFeatures(views, job, member.share(job.features));
  member.barrier.wait();
  if (!fillTable(views, job, member.share(job.rowCount))) member.cancel();
  member.barrier.wait();
  return !member.cancelled;
}

/** Where the matrix must be placed for binning, one feature after the other. */
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
    const cuts = equalFrequencyCuts(distinctRuns(sample), job.bins);
    i32[layout.cutCounts / 4 + feature] = cuts.length;
    f32.set(cuts, layout.cuts / 4 + feature * job.bins);
  }
}

function sampledRows({ cutRows: { from, to } }: BinningJob): Uint32Array {
  const limit = Math.min(1, SAMPLE_ROWS / (to - from)) * ALL_ROWS;
  const rows = new Uint32Array(to - from);
  let count = 0;
  for (let row = from; row < to; row++) {
    if (rowHash(row, SAMPLE_SEED) < limit) rows[count++] = row;
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

function fillTable(views: MemoryViews, job: BinningJob, rows: RowRange): boolean {
  const { rowCount, features } = job;
  const { columns, columnStride } = binnedLayout(job);
  const values = valuesToBin(views, job);
  let finite = true;
  for (let feature = 0; feature < features; feature++) {
    const table = new BinTable(cutsOf(views, job, feature));
    const column = columns + feature * columnStride;
    finite = table.assign(values, feature * rowCount, rows, views.u8, column) && finite;
  }
  return finite;
}

/** A copy of a feature's cuts. */
export function cutsOf({ f32, i32 }: MemoryViews, shape: BinnedShape, feature: number): Float32Array {
  const layout = binnedLayout(shape);
  const start = layout.cuts / 4 + feature * shape.bins;
  return f32.slice(start, start + i32[layout.cutCounts / 4 + feature]!);
}

const KEYS = 1 << 16;
const HALF = KEYS / 2;
const EXPONENT_OF_NOT_FINITE = 0x7f80;

/**
 * Finds the bin of a value from its upper 16 bits: sign, exponent and seven bits of mantissa identify an interval of floats,
 * and the table holds the bin of the interval's lowest float. Then it steps over the cuts inside that interval; there is
 * rarely even one.
 */
export class BinTable {
  readonly #first = new Uint8Array(KEYS);
  readonly #cuts: Float32Array;

  /** @param cuts ascending, at most 255, none of them -0, whose bits sort below those of 0 although the two are equal */
  constructor(cuts: Float32Array) {
    this.#cuts = Float32Array.of(...cuts, Infinity);
    this.#fillFirstBins(cuts);
  }

  /**
   * Writes the bins of some rows of a column that begins at `start` of `values`, from `column` of `out` on: the number of cuts
   * below each value.
   *
   * @returns false when a value is not finite; its bin is then meaningless
   */
  assign(
    values: Float32Array,
    start: number,
    { from, to }: RowRange,
    out: Uint8Array,
    column: number,
  ): boolean {
    const first = this.#first;
    const cuts = this.#cuts;
    // The lower and upper 16 bits of each value, alternating, lower first.
    const bits = new Uint16Array(values.buffer, values.byteOffset, 2 * values.length);
    let largestExponent = 0;
    for (let i = from; i < to; i++) {
      const key = bits[2 * (start + i) + 1]!;
      const value = values[start + i]!;
      let bin = first[key]!;
      while (value > cuts[bin]!) bin++;
      out[column + i] = bin;
      largestExponent = Math.max(largestExponent, key & EXPONENT_OF_NOT_FINITE);
    }
    return largestExponent < EXPONENT_OF_NOT_FINITE;
  }

  #fillFirstBins(cuts: Float32Array): void {
    const ascending = new Uint8Array(KEYS);
    const bits = new Uint32Array(Float32Array.from(cuts).buffer);
    let filled = 0;
    for (let i = 0; i <= bits.length; i++) {
      const end = i < bits.length ? (orderedKey(bits[i]!) >>> 16) + 1 : KEYS;
      ascending.fill(i, filled, end);
      filled = end;
    }
    this.#first.set(ascending.subarray(HALF), 0);
    this.#first.set(ascending.subarray(0, HALF).reverse(), HALF);
  }
}

/**
 * Cuts that divide a feature into at most `bins` bins with about equally many values. Bin b holds the values above cut b - 1
 * and up to cut b; the last bin holds everything above the last cut. Cuts are distinct values of the sample, ascending, with
 * 0 never as -0. There are fewer cuts when the sample has fewer distinct values, and none when it has one.
 *
 * A value so frequent that it fills a bin gets its own bin, and the others share the rest (after `GreedyFindBin` of LightGBM,
 * Ke et al. 2017). Equal ranks alone would spend several bins on the same value.
 *
 * @param runs the distinct values of a sample
 */
export function equalFrequencyCuts({ values, counts }: DistinctRuns, bins: number): Float32Array {
  if (values.length <= bins) return values.slice(0, -1);
  const cuts: number[] = [];
  let [held, left] = [0, 0];
  for (let i = 0; i < counts.length; i++) left += counts[i]!;
  for (let i = 0; i < values.length - 1; i++) {
    held += counts[i]!;
    left -= counts[i]!;
    const binsLeft = bins - cuts.length;
    if (binsLeft === 1) break;
    const share = (held + left) / binsLeft;
    if (held >= share || held + counts[i + 1]! > 1.5 * share) {
      cuts.push(values[i]!);
      held = 0;
    }
  }
  return Float32Array.from(cuts);
}
