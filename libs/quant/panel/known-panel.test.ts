import fc from 'fast-check';
import { expect, test } from 'vitest';
import { panelKnownOn } from './known-panel.ts';
import type { LateFactor } from './panel-columns.ts';
import { arbitraryBars, factorsOf, panelOf } from './panel-fixture.ts';
import { Panel } from './panel.ts';

const bar = (ticker: string, day: number, factor = 1, share_factor = factor) => ({
  ticker,
  date: `2024-07-0${day}`,
  close: 1_000,
  factor,
  share_factor,
});
const days = [1, 2, 3, 4, 5];
const BARS = [
  ...days.map((day) => bar('AAAA', day, day === 2 ? 0.2 : 1)),
  ...days.map((day) => bar('BBBB', day, day === 2 ? 0.5 : day === 4 ? 0.1 : 1)),
];
const withLate = (panel: Panel, late_factors: LateFactor[]) => new Panel({ ...panel.columns, late_factors });
const scales = (panel: Panel) => factorsOf(panel.columns);

test('without actions that became known late, it is the panel itself on every day', () => {
  const panel = panelOf(BARS);
  for (const day of days) expect(panelKnownOn(panel, day - 1)).toBe(panel);
});

test('before an action is known, its bar has the factors that applied then; from that day on its own', () => {
  const late = { row: 6, knownDay: 3, factor: 0.9, share_factor: 1 };
  const panel = withLate(panelOf(BARS), [late]);
  const as = BARS.map((one, row) => (row === late.row ? { ...one, factor: 0.9, share_factor: 1 } : one));
  expect(scales(panelKnownOn(panel, 2))).toEqual(scales(panelOf(as)));
  expect(panelKnownOn(panel, 3)).toBe(panel);
});

test('days between two late actions know the first and not the second', () => {
  const first = { row: 1, knownDay: 2, factor: 1, share_factor: 1 };
  const second = { row: 6, knownDay: 4, factor: 1, share_factor: 1 };
  const panel = withLate(panelOf(BARS), [first, second]);
  const as = (rows: number[]) =>
    panelOf(BARS.map((one, row) => (rows.includes(row) ? { ...one, factor: 1, share_factor: 1 } : one)));
  expect(scales(panelKnownOn(panel, 1))).toEqual(scales(as([1, 6])));
  expect(scales(panelKnownOn(panel, 3))).toEqual(scales(as([6])));
  expect(scales(panelKnownOn(panel, 1))).toEqual(scales(as([1, 6])));
});

test('property: nothing but factors differs, other stocks are untouched, and adjusting there and back gives the price', () => {
  const factor = fc.constantFrom(0.2, 0.5, 0.9, 1, 2);
  const cases = arbitraryBars.chain((bars) => {
    const panel = panelOf(bars);
    const late = fc.record({
      row: fc.integer({ min: 0, max: panel.rowCount - 1 }),
      knownDay: fc.integer({ min: 1, max: panel.dayCount }),
      factor,
      share_factor: factor,
    });
    return fc.record({ bars: fc.constant(bars), late, day: fc.integer({ min: 0, max: panel.dayCount - 1 }) });
  });
  fc.assert(
    fc.property(cases, ({ bars, late, day }) => {
      const panel = withLate(panelOf(bars), [late]);
      const known = panelKnownOn(panel, day);
      const { terms: _1, late_factors: _2, ...published } = known.columns;
      expect(published).toEqual((({ terms: _3, late_factors: _4, ...same }) => same)(panel.columns));
      for (let ticker = 0; ticker < panel.tickerCount; ticker++) {
        const [first, end] = [panel.firstRow(ticker), panel.endRow(ticker, panel.dayCount - 1)];
        const isOther = late.row < first || late.row >= end;
        for (let row = first; row < end; row++) {
          if (isOther) expect(known.priceScale(row, end - 1)).toBe(panel.priceScale(row, end - 1));
          expect(known.priceScale(row, end - 1) * known.priceScale(end - 1, row)).toBeCloseTo(1, 12);
          expect(known.shareScale(row, end - 1) * known.shareScale(end - 1, row)).toBeCloseTo(1, 12);
        }
      }
    }),
  );
});
