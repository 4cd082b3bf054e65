import { Random } from '#quant/random.ts';

interface Resampling {
  resamples: number;
  /** Consecutive weeks, or days of a series of days, that are drawn together. */
  blockLength: number;
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
  blockLength: number;
}

const LOW_TAIL = 0.025;
/** So few blocks are put together in the same few ways: an interval of them is narrow for no good reason. */
const MIN_BLOCKS = 4;
/** An interval of the few resamples in which the figure is defined would say nothing. */
const MIN_DEFINED_SHARE = 0.8;

/**
 * The circular block bootstrap (Politis & Romano 1992). A week, or a day of a series of days, is drawn with all that happened
 * in it, for its names share one market, and with those after it, for outcomes of neighbours share days.
 */
export function blockResamples(weeks: number, { resamples, blockLength, seed }: Resampling): Resamples {
  const random = new Random(seed);
  const drawn = Array.from({ length: resamples }, () => {
    const resample = new Uint32Array(weeks);
    for (let at = 0; at < weeks; at += blockLength) {
      const start = random.below(weeks);
      for (let i = 0; i < blockLength && at + i < weeks; i++) resample[at + i] = (start + i) % weeks;
    }
    return resample;
  });
  return { drawn, blockLength };
}

/** A statistic of sums over weeks; null where it is not defined. */
export type OfSums = (sums: Float64Array) => number | null;

/**
 * A statistic of sums over weeks, with the percentile interval (Efron 1979) of the same statistic over the resamples.
 * Resamples are of the whole series also for a part of it, so that its weeks keep their neighbours.
 */
export function estimate(rows: readonly Row[], resamples: Resamples, statistic: OfSums): Estimate {
  const { drawn, blockLength } = resamples;
  const counted = rows.filter((row) => row !== undefined).length;
  const all = new Float64Array(widthOf(rows));
  for (const row of rows) add(all, row);
  const value = counted === 0 ? null : statistic(all);
  const figures = counted < MIN_BLOCKS * blockLength ? [] : figuresOf(rows, resamples, statistic);
  if (value === null || figures.length === 0 || figures.length < MIN_DEFINED_SHARE * drawn.length)
    return { value, low: null, high: null };
  return { value, low: quantileOf(figures, LOW_TAIL), high: quantileOf(figures, 1 - LOW_TAIL) };
}

function figuresOf(rows: readonly Row[], { drawn, blockLength }: Resamples, statistic: OfSums): number[] {
  // Of each block once: every resample is made of the same few hundred.
  const whole = blockSums(rows, blockLength);
  const last = blockSums(rows, rows.length % blockLength);
  const sums = new Float64Array(widthOf(rows));
  const figures: number[] = [];
  for (const weeks of drawn) {
    sums.fill(0);
    for (let at = 0; at < weeks.length; at += blockLength) {
      add(sums, (at + blockLength <= weeks.length ? whole : last)[weeks[at]!]);
    }
    const figure = statistic(sums);
    if (figure !== null) figures.push(figure);
  }
  return figures.sort((a, b) => a - b);
}

/** What a week adds to each sum; undefined for one that is not of the part. */
type Row = Float64Array | undefined;

/** By its first week the sums of each block of `length` weeks, which may go over the end of the series. */
function blockSums(rows: readonly Row[], length: number): Float64Array[] {
  return rows.map((_, start) => {
    const sums = new Float64Array(widthOf(rows));
    for (let i = 0; i < length; i++) add(sums, rows[(start + i) % rows.length]);
    return sums;
  });
}

function add(sums: Float64Array, row: Row): void {
  if (row) for (let i = 0; i < sums.length; i++) sums[i]! += row[i]!;
}

function widthOf(rows: readonly Row[]): number {
  return rows.find((row) => row !== undefined)?.length ?? 0;
}

/** Between the two nearest; `ascending` is not empty. */
function quantileOf(ascending: readonly number[], q: number): number {
  const place = q * (ascending.length - 1);
  const [below, above] = [ascending[Math.floor(place)]!, ascending[Math.ceil(place)]!];
  return below + (above - below) * (place - Math.floor(place));
}

/** Enough that the ends of an interval move by a hundredth or two with another seed. */
const RESAMPLES = 2_000;
const SEED = 1;
const TRADING_DAYS_OF_A_WEEK = 5;

export const BOOTSTRAP = { resamples: RESAMPLES, seed: SEED, level_pct: 95 };

/**
 * Outcomes of neighbouring days share days as long as the horizon; blocks of half as much again leave most of what
 * belongs together in one piece. On made-up series whose weeks overlap just so, intervals that promise 95 % hold the
 * truth in 85 % of cases over one year and 88 % over two: they are rather too narrow than too wide.
 */
export function blockDays(horizonDays: number): number {
  return Math.ceil(1.5 * horizonDays);
}

/** The same of a series of weeks. */
export function blockWeeks(horizonDays: number): number {
  return Math.ceil((1.5 * horizonDays) / TRADING_DAYS_OF_A_WEEK);
}
