import { Random } from '#quant/random.ts';

interface Resampling {
  resamples: number;
  /** Consecutive weeks that are drawn together; days, in a series of days. */
  blockLength: number;
  /** 32-bit integer. */
  seed: number;
}

/** A figure and its 95 % confidence interval; nulls where it is not defined. */
export interface Estimate {
  value: number | null;
  low: number | null;
  high: number | null;
}

/** Resamples of a series of weeks. */
export interface Resamples {
  /** For each resample: its weeks (indices), as many as the series has. */
  drawn: readonly Uint32Array[];
  blockLength: number;
}

const LOW_TAIL = 0.025;
/** With fewer blocks only few combinations exist, and the interval would be too narrow. */
const MIN_BLOCKS = 4;
/** When the figure is defined in fewer of the resamples than this, no interval is given. */
const MIN_DEFINED_SHARE = 0.8;

/**
 * The circular block bootstrap (Politis & Romano 1992). A week (or a day, in a series of days) is drawn as a whole, because
 * its names share one market. It is drawn together with the following weeks, because the outcomes of neighbouring weeks share
 * days.
 */
export function blockResamples(weeks: number, { resamples, blockLength, seed }: Resampling): Resamples {
  const random = new Random(seed);
  const drawn = Array.from({ length: resamples }, () => {
    const resample = new Uint32Array(weeks);
    for (let at = 0; at < weeks; at += blockLength) {
      const start = random.below(weeks);
      const end = Math.min(at + blockLength, weeks);
      for (let i = at, week = start; i < end; i++, week++) {
        if (week === weeks) week = 0;
        resample[i] = week;
      }
    }
    return resample;
  });
  return { drawn, blockLength };
}

/** A statistic computed from sums over weeks; null where it is not defined. */
export type OfSums = (sums: Float64Array) => number | null;

/**
 * Statistics of the same sums over weeks, each with the percentile interval (Efron 1979) of the same statistic over the resamples.
 * Resamples are drawn from the whole series even for a subset of it, so that its weeks keep their neighbours.
 */
export function estimates<Of extends Record<string, OfSums>>(
  rows: readonly Row[],
  resamples: Resamples,
  statistics: Of,
): { [Name in keyof Of]: Estimate } {
  const { drawn, blockLength } = resamples;
  const counted = rows.filter((row) => row !== undefined).length;
  const all = new Float64Array(widthOf(rows));
  for (const row of rows) add(all, row);
  const figures = Object.keys(statistics).map((): number[] => []);
  const wanted = Object.values(statistics);
  const note = (sums: Float64Array) => {
    for (const [i, statistic] of wanted.entries()) {
      const figure = statistic(sums);
      if (figure !== null) figures[i]!.push(figure);
    }
  };
  if (counted >= MIN_BLOCKS * blockLength) eachResample(rows, resamples, note);
  const named = Object.keys(statistics).map((name, i): [string, Estimate] => {
    const value = counted === 0 ? null : wanted[i]!(all);
    const isDefined = figures[i]!.length > 0 && figures[i]!.length >= MIN_DEFINED_SHARE * drawn.length;
    if (value === null || !isDefined) return [name, { value, low: null, high: null }];
    const ascending = Float64Array.from(figures[i]!).sort();
    return [name, { value, low: quantileOf(ascending, LOW_TAIL), high: quantileOf(ascending, 1 - LOW_TAIL) }];
  });
  return Object.fromEntries(named) as { [Name in keyof Of]: Estimate };
}

/** {@link estimates} of one statistic. */
export function estimate(rows: readonly Row[], resamples: Resamples, statistic: OfSums): Estimate {
  return estimates(rows, resamples, { statistic }).statistic;
}

/** Visits the sums over the weeks of each resample. */
function eachResample(
  rows: readonly Row[],
  { drawn, blockLength }: Resamples,
  visit: (sums: Float64Array) => void,
): void {
  const sums = new Float64Array(widthOf(rows));
  // Sum each block once: all resamples consist of the same few hundred blocks.
  const whole = blockSums(rows, blockLength, sums.length);
  const last = blockSums(rows, rows.length % blockLength, sums.length);
  for (const weeks of drawn) {
    sums.fill(0);
    for (let at = 0; at < weeks.length; at += blockLength)
      addAt(sums, at + blockLength <= weeks.length ? whole : last, weeks[at]! * sums.length);
    visit(sums);
  }
}

/** What a week adds to each sum; undefined for a week outside the subset. */
type Row = Float64Array | undefined;

/** For each starting week, one after the other: the sums of a block of `length` weeks, which wraps around the end of the series. */
function blockSums(rows: readonly Row[], length: number, width: number): Float64Array {
  const blocks = new Float64Array(rows.length * width);
  for (let start = 0; start < rows.length; start++) {
    const sums = blocks.subarray(start * width, (start + 1) * width);
    for (let i = 0; i < length; i++) add(sums, rows[(start + i) % rows.length]);
  }
  return blocks;
}

function add(sums: Float64Array, row: Row): void {
  if (row) addAt(sums, row, 0);
}

function addAt(sums: Float64Array, rows: Float64Array, start: number): void {
  for (let i = 0; i < sums.length; i++) sums[i]! += rows[start + i]!;
}

function widthOf(rows: readonly Row[]): number {
  return rows.find((row) => row !== undefined)?.length ?? 0;
}

/** Interpolates between the two nearest values; `ascending` is not empty. */
function quantileOf(ascending: ArrayLike<number>, q: number): number {
  const place = q * (ascending.length - 1);
  const [below, above] = [ascending[Math.floor(place)]!, ascending[Math.ceil(place)]!];
  return below + (above - below) * (place - Math.floor(place));
}

/** Enough resamples that the ends of an interval move only by a hundredth or two with another seed. */
const RESAMPLES = 2_000;
const SEED = 1;
const TRADING_DAYS_OF_A_WEEK = 5;

export const BOOTSTRAP = { resamples: RESAMPLES, seed: SEED, level_pct: 95 };

/**
 * Block length for a series of days. Outcomes of neighbouring days share up to a horizon of days. Blocks of 1.5 horizons keep
 * most of what belongs together in one block. On simulated series whose weeks overlap in the same way, intervals with a
 * nominal 95 % contain the truth in 85 % of cases over one year and 88 % over two: they tend to be too narrow rather than too
 * wide.
 */
export function blockDays(horizonDays: number): number {
  return Math.ceil(1.5 * horizonDays);
}

/** Block length for a series of weeks. */
export function blockWeeks(horizonDays: number): number {
  return Math.ceil((1.5 * horizonDays) / TRADING_DAYS_OF_A_WEEK);
}
