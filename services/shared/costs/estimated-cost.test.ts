import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FIELDS } from '#fields/catalogue/catalogue.ts';
import { columnMs, judgedMs, readingMs, rulesMs, runsMs, simulationMs, tableMs } from './estimated-cost.ts';

const count = fc.integer({ min: 1, max: 2_000 });
const span = fc.record({ firstDay: fc.nat(1_000), days: count });
const spanOf = (of: { firstDay: number; days: number }) => ({
  firstDay: of.firstDay,
  lastDay: of.firstDay + of.days - 1,
});

test('every column that is not computed costs something, and more for more stocks and days', () => {
  fc.assert(
    fc.property(fc.constantFrom(...FIELDS.values()), count, span, (field, stocks, of) => {
      const cost = columnMs(field, stocks, spanOf(of));
      expect(cost).toBeGreaterThan(0);
      expect(columnMs(field, stocks + 1, spanOf(of))).toBeGreaterThan(cost);
      expect(columnMs(field, stocks, spanOf({ ...of, days: of.days + 1 }))).toBeGreaterThan(cost);
      const reading = readingMs(1, stocks, of.days);
      expect(readingMs(2, stocks, of.days)).toBeGreaterThan(reading);
      expect(readingMs(1, stocks + 1, of.days)).toBeGreaterThan(reading);
    }),
  );
});

test('a longer window of broker rows costs more, and every one more than a price', () => {
  const costs = ['close', 'bandar_net_5d_idr', 'bandar_net_20d_idr'].map((name) =>
    columnMs(FIELDS.get(name)!, 930, { firstDay: 0, lastDay: 249 }),
  );
  expect(costs).toEqual(costs.toSorted((a, b) => a - b));
  expect(new Set(costs).size).toBe(3);
});

test('rules cost more with each comparison, stock and day, and to judge them costs more than to evaluate them', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 49 }), count, span, (tests, stocks, of) => {
      const cost = rulesMs(tests, stocks, spanOf(of));
      expect(rulesMs(tests + 1, stocks, spanOf(of))).toBeGreaterThan(cost);
      expect(rulesMs(tests, stocks + 1, spanOf(of))).toBeGreaterThan(cost);
      expect(rulesMs(tests, stocks, spanOf({ ...of, days: of.days + 1 }))).toBeGreaterThan(cost);
      expect(judgedMs(tests, stocks, spanOf(of))).toBeGreaterThan(cost);
    }),
  );
});

test('simulations cost more with days, positions and draws, runs with days and if they learn, tables with fields and stocks', () => {
  fc.assert(
    fc.property(count, count, count, (days, positions, draws) => {
      const of = { days, positions, draws };
      for (const more of [{ days: days + 1 }, { positions: positions + 1 }, { draws: draws + 1 }])
        expect(simulationMs({ ...of, ...more })).toBeGreaterThan(simulationMs(of));
      expect(runsMs({ learns: false }, days + 1)).toBeGreaterThan(runsMs({ learns: false }, days));
      expect(runsMs({ learns: true }, days)).toBeGreaterThan(runsMs({ learns: false }, days));
      expect(tableMs(days + 1, draws)).toBeGreaterThan(tableMs(days, draws));
      expect(tableMs(days, draws + 1)).toBeGreaterThan(tableMs(days, draws));
    }),
  );
});
