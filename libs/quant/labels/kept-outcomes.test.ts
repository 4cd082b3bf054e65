import { beforeAll, expect, test } from 'vitest';
import { featureTable } from '../features/build-feature-table.ts';
import type { FeatureTable } from '../features/feature-table.ts';
import { panelOf } from '../panel/panel-fixture.ts';
import { syntheticBars } from '../panel/generated-bars-fixture.ts';
import { regimeHistory } from '../regime/regime.ts';
import { KeptOutcomes, keptOutcomes } from './kept-outcomes.ts';
import { tripleBarrier } from './triple-barrier.ts';

const BARRIERS = { targetGain: 0.06, stopLoss: 0.04, horizonDays: 5 };

let table: FeatureTable;
beforeAll(() => {
  const panel = panelOf(syntheticBars({ seed: 5, tickers: 60, days: 170 }));
  table = featureTable(panel, regimeHistory(panel));
});

/** Rows of the days from `from` to `to`, both included. */
function rowsOf(from: number, to: number): Uint32Array {
  const [first, end] = [table.rowsOf(from).from, table.rowsOf(to).to];
  return Uint32Array.from({ length: end - first }, (_, i) => first + i);
}

test('kept outcomes match the triple barrier for any span, whatever was queried before', () => {
  const kept = new KeptOutcomes(table, BARRIERS);
  const spans = [
    [135, 140, 155],
    [133, 137, 147],
    [133, 159, 169],
  ] as const;
  for (const [from, to, lastDay] of spans) {
    const rows = rowsOf(from, to);
    const ticker = [...rows].map((row) => table.columns.ticker[row]!);
    const panelRow = [...rows].map((row) => table.columns.panelRow[row]!);
    const expected = tripleBarrier(table.panel, { ticker, panelRow }, BARRIERS, lastDay);
    expect(expected.won).toContain(1);
    expect(kept.of(rows, lastDay)).toEqual(expected);
  }
});

test('outcomes of positions that may still be open are refused even after a later day has queried them', () => {
  const kept = new KeptOutcomes(table, BARRIERS);
  kept.of(rowsOf(140, 145), 155);
  expect(() => kept.of(rowsOf(140, 145), 154)).toThrow('may be sold after day 154');
});

test('outcomes are shared by equal barriers, and only a few barriers are kept at a time', () => {
  const first = keptOutcomes(table, BARRIERS);
  expect(keptOutcomes(table, { ...BARRIERS })).toBe(first);
  for (const targetGain of [0.07, 0.08, 0.09])
    expect(keptOutcomes(table, { ...BARRIERS, targetGain })).not.toBe(first);
  expect(keptOutcomes(table, BARRIERS)).toBe(first);
  for (const targetGain of [0.1, 0.11, 0.12, 0.13]) keptOutcomes(table, { ...BARRIERS, targetGain });
  expect(keptOutcomes(table, BARRIERS)).not.toBe(first);
});
