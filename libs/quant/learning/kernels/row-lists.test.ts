import { expect, test } from 'vitest';
import { rowHash, seedFor, ALL_ROWS } from './row-lists.ts';

const rows = Array.from({ length: 50_000 }, (_, row) => row);
const sampled = (seed: number, share: number) => rows.map((row) => rowHash(row, seed) < share * ALL_ROWS);
const shareOf = (flags: readonly boolean[]) => flags.filter(Boolean).length / flags.length;

test.each([0.1, 0.5, 0.9])('a limit of %f samples that share of the rows', (share) => {
  for (const seed of [0, 1, 2, -1])
    expect(Math.abs(shareOf(sampled(seed, share)) - share)).toBeLessThan(0.01);
});

test('samples of different uses and seeds are uncorrelated', () => {
  const seeds = [seedFor(1, 1), seedFor(1, 2), seedFor(2, 1), seedFor(1, -1, 1), seedFor(1)];
  const samples = seeds.map((seed) => sampled(seed, 0.5));
  for (const [i, one] of samples.entries()) {
    for (const other of samples.slice(i + 1))
      expect(Math.abs(shareOf(one.map((taken, row) => taken === other[row])) - 0.5)).toBeLessThan(0.01);
  }
});

test('neighbouring rows are sampled independently', () => {
  const taken = sampled(7, 0.5);
  const alike = shareOf(taken.slice(1).map((flag, row) => flag === taken[row]));
  expect(Math.abs(alike - 0.5)).toBeLessThan(0.01);
});
