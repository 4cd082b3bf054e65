import { Random } from '#quant/random.ts';

export interface Resampling {
  resamples: number;
  /** Consecutive weeks that are drawn together. */
  blockWeeks: number;
  /** 32-bit integer. */
  seed: number;
}

/** A figure and the interval in which 95 of 100 such intervals hold the true one; nulls where it is not defined. */
export interface Estimate {
  value: number | null;
  low: number | null;
  high: number | null;
}

/** Resamples of a series of weeks. */
export interface Resamples {
  /** Of each resample its weeks (indices), as many as the series has. */
  drawn: readonly Uint32Array[];
  blockWeeks: number;
}

const LOW_TAIL = 0.025;
/** So few blocks are put together in the same few ways: an interval of them is narrow for no good reason. */
const MIN_BLOCKS = 4;
/** An interval of the few resamples in which the figure is defined would say nothing. */
const MIN_DEFINED_SHARE = 0.8;

/**
 * The circular block bootstrap (Politis & Romano 1992). A week is drawn with all that happened in it, for its names share one market, and with the weeks after
 * it, for outcomes of neighbouring weeks share days.
 */
export function blockResamples(weeks: number, { resamples, blockWeeks, seed }: Resampling): Resamples {
  const random = new Random(seed);
  const drawn = Array.from({ length: resamples }, () => {
    const resample = new Uint32Array(weeks);
    for (let at = 0; at < weeks; at += blockWeeks) {
      const start = random.below(weeks);
      for (let i = 0; i < blockWeeks && at + i < weeks; i++) resample[at + i] = (start + i) % weeks;
    }
    return resample;
  });
  return { drawn, blockWeeks };
}

/** A statistic of sums over weeks; null where it is not defined. */
export type OfSums = (sums: Float64Array) => number | null;

/**
 * A statistic of sums over weeks, with the percentile interval (Efron 1979) of the same statistic over the resamples.
 * Resamples are of the whole series also for a part of it, so that its weeks keep their neighbours.
 * @param rows what each week adds to each sum; undefined for one that is not of the part
 */
export function estimate(
  rows: readonly (Float64Array | undefined)[],
  { drawn, blockWeeks }: Resamples,
  statistic: OfSums,
): Estimate {
  const counted = rows.filter((row) => row !== undefined).length;
  const value = counted === 0 ? null : statistic(sumOf(rows, rows.keys()));
  const figures = counted < MIN_BLOCKS * blockWeeks ? [] : figuresOf(rows, drawn, statistic);
  if (value === null || figures.length === 0 || figures.length < MIN_DEFINED_SHARE * drawn.length)
    return { value, low: null, high: null };
  return { value, low: quantileOf(figures, LOW_TAIL), high: quantileOf(figures, 1 - LOW_TAIL) };
}

function figuresOf(
  rows: readonly (Float64Array | undefined)[],
  drawn: readonly Uint32Array[],
  statistic: OfSums,
): number[] {
  return drawn
    .map((weeks) => statistic(sumOf(rows, weeks)))
    .filter((figure) => figure !== null)
    .toSorted((a, b) => a - b);
}

function sumOf(rows: readonly (Float64Array | undefined)[], weeks: Iterable<number>): Float64Array {
  const sums = new Float64Array(rows.find((row) => row !== undefined)?.length ?? 0);
  for (const week of weeks) {
    const row = rows[week];
    if (!row) continue;
    for (let i = 0; i < sums.length; i++) sums[i]! += row[i]!;
  }
  return sums;
}

/** Between the two nearest; `ascending` is not empty. */
function quantileOf(ascending: readonly number[], q: number): number {
  const place = q * (ascending.length - 1);
  const [below, above] = [ascending[Math.floor(place)]!, ascending[Math.ceil(place)]!];
  return below + (above - below) * (place - Math.floor(place));
}
