import { MARKET_FEATURES, STOCK_FEATURES } from '#quant/features/feature-definitions.ts';
import { expect } from 'vitest';

const text = (format: RegExp) => expect.stringMatching(format) as string;
const number = expect.any(Number) as number;

/** The fields that rows of every learning screen share, each with its kind and format. */
export const PICK_ROW = {
  Ticker: text(/^[A-Z]{4}$/),
  Rank: number,
  Regime: text(/^(BULL|SIDEWAYS|BEAR)$/),
  Probability: text(/^\d{1,3}\.\d%$/),
  win_chance_pct: number,
  base_rate_pct: number,
  Score: number,
  'Last Close': text(/^\d{1,3}(,\d{3})*$/),
  'Daily Val': text(/^\d+\.\d[MBT]$/),
  RSI: number,
  'Ret 20D': text(/^[+-]\d+\.\d\d%$/),
  'Foreign Net 5D': text(/^-?\d+\.\d[KMBT]?$/),
  Entry: number,
  Stop: number,
  Target: number,
  'Target Tick': number,
  'Stop Tick': expect.toBeOneOf([number, null]) as number | null,
  reasons: expect.any(Array) as string[],
  contributions: expect.toBeOneOf([expect.any(Object), null]) as object | null,
};

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

/** The features that follow in the rows of every learning screen. */
export const FEATURE_NAMES = [...STOCK_FEATURES, ...MARKET_FEATURES].map(({ name }) => name);
export const FEATURES = Object.fromEntries(FEATURE_NAMES.map((name) => [name, number]));
