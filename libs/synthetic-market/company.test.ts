import { describe, expect, test } from 'vitest';
import { logValueAt, valueAt } from './company.ts';

const CURVE = [
  [0, 1],
  [0.5, 10],
  [1, 1_000],
] as const;

describe('quantile curve', () => {
  test('passes through its points and is linear between them', () => {
    expect([0, 0.5, 1].map((rank) => valueAt(CURVE, rank))).toEqual([1, 10, 1_000]);
    expect(valueAt(CURVE, 0.25)).toBe(5.5);
    expect(valueAt(CURVE, 0.75)).toBe(505);
  });

  test('has the geometric mean in the middle on a logarithmic scale', () => {
    expect(logValueAt(CURVE, 0.75)).toBeCloseTo(100, 9);
  });
});
