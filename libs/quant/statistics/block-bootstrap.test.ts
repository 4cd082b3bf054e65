import { describe, expect, test } from 'vitest';
import { Random } from '#quant/random.ts';
import { blockResamples, estimate, type Estimate } from './block-bootstrap.ts';
import { ratio } from './pick-figures.ts';

const WEEKS = 104;
const OVERLAP = 4;
const TRIALS = 300;

describe('resamples', () => {
  const resampling = { resamples: 200, blockLength: 4, seed: 7 };
  const resamples = blockResamples(10, resampling);

  test('have as many weeks as the series, in consecutive blocks that wrap around its end', () => {
    for (const weeks of resamples.drawn) {
      expect(weeks).toHaveLength(10);
      for (const [i, week] of weeks.entries()) if (i % 4 !== 0) expect(week).toBe((weeks[i - 1]! + 1) % 10);
    }
  });

  test('draw every week about equally often', () => {
    const counts = new Array<number>(10).fill(0);
    for (const weeks of resamples.drawn) for (const week of weeks) counts[week]!++;
    expect(Math.min(...counts)).toBeGreaterThan(140);
    expect(Math.max(...counts)).toBeLessThan(260);
  });

  test('are the same for the same seed and differ for another', () => {
    expect(blockResamples(10, resampling)).toEqual(resamples);
    expect(blockResamples(10, { ...resampling, seed: 8 })).not.toEqual(resamples);
  });
});

/** Weeks whose shares have a moving average over as many weeks as outcomes overlap. The true ratio is 1. */
function overlappingWeeks(random: Random): Float64Array[] {
  const shocks = Array.from({ length: WEEKS + OVERLAP }, () => random.normal());
  return Array.from({ length: WEEKS }, (_, week) => {
    const names = 1 + random.below(10);
    const common = shocks.slice(week, week + OVERLAP).reduce((sum, shock) => sum + shock, 0) / OVERLAP;
    return Float64Array.of(names * (1 + 0.3 * common) + 0.05 * random.normal(), names);
  });
}

/** Share of the trials in which the interval of the ratio contains the true ratio. */
function coverage(blockLength: number): number {
  let held = 0;
  for (let trial = 0; trial < TRIALS; trial++) {
    const rows = overlappingWeeks(new Random(11, trial));
    const resamples = blockResamples(WEEKS, { resamples: 300, blockLength, seed: trial });
    const { low, high } = estimate(rows, resamples, ([part, whole]) => ratio(part!, whole!));
    if (low! <= 1 && 1 <= high!) held++;
  }
  return held / TRIALS;
}

describe('intervals', () => {
  test('contain the true figure about as often as stated, although outcomes of neighbouring weeks overlap', () => {
    expect(coverage(1.5 * OVERLAP)).toBeGreaterThan(0.86);
  });

  test('are too narrow when overlapping weeks are treated as independent', () => {
    expect(coverage(1)).toBeLessThan(0.8);
  });

  const resamples = blockResamples(4, { resamples: 100, blockLength: 1, seed: 1 });

  test('have no width when every week is the same', () => {
    const rows = Array.from({ length: 4 }, () => Float64Array.of(3, 2));
    const { value, low, high } = estimate(rows, resamples, ([part, whole]) => ratio(part!, whole!));
    expect([value, low, high]).toEqual([1.5, 1.5, 1.5]);
  });

  const statistic = ([part, whole]: Float64Array) => ratio(part!, whole!);
  const interval = (of: Estimate) => [of.low, of.high];

  test('are null for a figure that most resamples do not define', () => {
    const nothing = new Float64Array(2);
    const once = estimate([Float64Array.of(1, 1), nothing, nothing, nothing], resamples, statistic);
    expect(once).toEqual({ value: 1, low: null, high: null });
    const never = estimate([nothing, nothing, nothing, nothing], resamples, statistic);
    expect(never).toEqual({ value: null, low: null, high: null });
  });

  test('are null for fewer than four blocks of a series or of a part of it', () => {
    const rows = Array.from({ length: 16 }, (_, week) => Float64Array.of(week, 1));
    const inBlocksOf = (blockLength: number) => blockResamples(16, { resamples: 50, blockLength, seed: 1 });
    const part = rows.map((row, week) => (week < 15 ? row : undefined));
    expect(interval(estimate(rows, inBlocksOf(4), statistic))).not.toContain(null);
    expect(interval(estimate(rows, inBlocksOf(5), statistic))).toEqual([null, null]);
    expect(interval(estimate(part, inBlocksOf(4), statistic))).toEqual([null, null]);
    expect(estimate(part, inBlocksOf(4), statistic).value).toBe(7);
  });

  test('of a part use only its own weeks', () => {
    const rows = Array.from({ length: 40 }, (_, week) => Float64Array.of(week < 20 ? 1 : 5, 1));
    const firstHalf = rows.map((row, week) => (week < 20 ? row : undefined));
    const inBlocks = blockResamples(40, { resamples: 50, blockLength: 4, seed: 1 });
    expect(estimate(firstHalf, inBlocks, statistic)).toEqual({ value: 1, low: 1, high: 1 });
    expect(interval(estimate(rows, inBlocks, statistic))[0]).toBeLessThan(3);
  });
});
