import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Random } from './random.ts';

function draws(count: number, draw: () => number): number[] {
  return Array.from({ length: count }, draw);
}

function mean(values: number[]): number {
  return values.reduce((a, b) => a + b, 0) / values.length;
}

function moment(values: number[], power: number): number {
  const centre = mean(values);
  return mean(values.map((value) => (value - centre) ** power));
}

describe('Random', () => {
  test('gives the same numbers for seed 1 on every machine', () => {
    const random = new Random(1);
    expect(draws(4, () => random.uint32())).toMatchInlineSnapshot(`
      [
        2981566799,
        3730749989,
        2660909634,
        3061193301,
      ]
    `);
    expect(draws(2, () => random.normal())).toMatchInlineSnapshot(`
      [
        0.5703519753758104,
        0.7785218009562936,
      ]
    `);
    expect(draws(2, () => random.studentT(5))).toMatchInlineSnapshot(`
      [
        -0.48781263314895856,
        -0.3303937231528654,
      ]
    `);
  });

  test('generators with the same seed and stream agree, and others differ', () => {
    fc.assert(
      fc.property(fc.integer(), fc.nat(1000), (seed, stream) => {
        const first = draws(5, () => 0).map(() => new Random(seed, stream).uint32());
        expect(new Set(first).size).toBe(1);
        const [one, again] = [new Random(seed, stream), new Random(seed, stream)];
        expect(draws(5, () => one.uint32())).toEqual(draws(5, () => again.uint32()));
        const others = [new Random(seed, stream + 1), new Random(seed + 1, stream), new Random(seed)];
        for (const other of others) expect(other.uint32()).not.toBe(first[0]);
      }),
    );
  });

  test('neighbouring streams are not correlated', () => {
    const pairs = draws(20_000, () => 0).map((_, i) => [
      new Random(7, i).uniform(),
      new Random(7, i + 1).uniform(),
    ]);
    expect(Math.abs(mean(pairs.map(([a, b]) => (a! - 0.5) * (b! - 0.5))) * 12)).toBeLessThan(0.03);
  });

  test('uniform fills (0, 1) evenly', () => {
    const random = new Random(2);
    const buckets = new Array(20).fill(0) as number[];
    for (let i = 0; i < 100_000; i++) buckets[Math.floor(random.uniform() * 20)]!++;
    const chiSquared = buckets.reduce((sum, count) => sum + (count - 5_000) ** 2 / 5_000, 0);
    expect(chiSquared).toBeLessThan(43.8); // 0.1 % of fair generators exceed this, at 19 degrees of freedom
  });

  test('normal has mean 0, variance 1, no skew and kurtosis 3', () => {
    const random = new Random(3);
    const values = draws(200_000, () => random.normal());
    expect(mean(values)).toBeCloseTo(0, 1);
    expect(moment(values, 2)).toBeCloseTo(1, 1);
    expect(moment(values, 3)).toBeCloseTo(0, 1);
    expect(moment(values, 4)).toBeCloseTo(3, 0);
  });

  test("student's t has unit variance and fatter tails than the normal", () => {
    const random = new Random(4);
    const values = draws(200_000, () => random.studentT(5));
    expect(mean(values)).toBeCloseTo(0, 1);
    expect(moment(values, 2)).toBeCloseTo(1, 1);
    expect(moment(values, 4)).toBeGreaterThan(5);
    // 10 % of an unscaled t distribution with 5 degrees of freedom lies beyond 2.015.
    const tail = values.filter((value) => Math.abs(value) > 2.015 * Math.sqrt(3 / 5)).length / values.length;
    expect(tail).toBeCloseTo(0.1, 2);
  });

  test('poisson has mean and variance of its parameter', () => {
    const random = new Random(5);
    const values = draws(50_000, () => random.poisson(3.5));
    expect(mean(values)).toBeCloseTo(3.5, 1);
    expect(moment(values, 2)).toBeCloseTo(3.5, 0);
  });

  test('a permutation holds every number once', () => {
    const order = new Random(6).permutation(500);
    expect([...order].sort((a, b) => a - b)).toEqual(Array.from({ length: 500 }, (_, i) => i));
    expect(order).not.toEqual(order.toSorted());
  });
});
