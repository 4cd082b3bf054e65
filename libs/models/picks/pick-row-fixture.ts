import { expect } from 'vitest';

/** Expects that the columns shown explain the order of the rows. `rest` names the part of the score besides the probability. */
export function expectOrderIsExplained(rows: readonly Record<string, unknown>[], rest: string): void {
  expect(rows.map((row) => row['Rank'])).toEqual(rows.map((_, i) => i + 1));
  const scores = rows.map((row) => row['Score'] as number);
  expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  for (const row of rows) {
    const parts = (row['Score From Probability'] as number) + (row[`Score From ${rest}`] as number);
    expect(row['Score']).toBeCloseTo(parts, 9);
  }
}
