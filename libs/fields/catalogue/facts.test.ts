import fc from 'fast-check';
import { expect, test } from 'vitest';
import { panelOf } from '#quant/panel/panel-fixture.ts';
import type { FieldType, Unit } from '../field-type.ts';
import { evaluateDay } from '../evaluation/evaluate.ts';
import { valueAt } from '../evaluation/market-columns.ts';
import { passingOf, type StockDay } from '../evaluation/naive-evaluator-fixture.ts';
import { arbitraryRules, FIELDS, SECTORS } from '../rules/rules-fixture.ts';
import { fieldsWith } from './catalogue.ts';
import { marketColumns } from './columns.ts';
import { FactHistory } from '../values/fact-history.ts';
import { factField, type DeclaredFact } from './facts.ts';
import { FACTS, inputsOf } from './market-fixture.ts';

/** A Monday to the next Wednesday. */
const DATES = ['2024-07-01', '2024-07-02', '2024-07-03', '2024-07-04', '2024-07-05', '2024-07-08', '2024-07-09', '2024-07-10']; // prettier-ignore

interface Row {
  known_since: string;
  value: string | null;
}

/** Values of a fact of one stock on each day. */
function valuesOf(
  rows: readonly Row[],
  {
    type = 'number',
    unit = 'none',
    factors = {},
  }: { type?: FieldType; unit?: Unit; factors?: Record<string, number> } = {},
) {
  const bars = DATES.map((date) => {
    const factor = factors[date] ?? 1;
    return { ticker: 'AAAA', date, close: 100, factor, share_factor: factor };
  });
  const fact: DeclaredFact = { ...FACTS[0]!, name: 'imported', type, unit };
  const inputs = inputsOf(bars, panelOf(bars));
  const history = new FactHistory(type, inputs.panel);
  for (const { known_since, value } of rows) history.add(0, known_since, value);
  const span = { firstDay: 0, lastDay: DATES.length - 1 };
  const facts = new Map([['imported', history]]);
  const { fields } = marketColumns(['imported'], { ...inputs, facts }, span, fieldsWith([factField(fact)]));
  return DATES.map((_, day) => valueAt(fields['imported']!, day));
}

test('a value counts from the day since which it was known, on a weekend from the next trading day, and an empty one is null', () => {
  const rows = [
    { known_since: '2024-07-02', value: '1' },
    { known_since: '2024-07-06', value: '2' },
    { known_since: '2024-07-09', value: null },
    { known_since: '2024-07-20', value: '4' },
  ];
  expect(valuesOf(rows)).toEqual([null, 1, 1, 1, 1, 2, null, null]);
});

test('a value that was known before the first day counts from there', () => {
  expect(valuesOf([{ known_since: '2019-01-05', value: '7' }])).toEqual(DATES.map(() => 7));
});

test('texts, and true and false, are values like numbers', () => {
  const texts = [
    { known_since: '2024-07-02', value: 'KAP A' },
    { known_since: '2024-07-04', value: 'KAP B' },
    { known_since: '2024-07-05', value: 'KAP A' },
  ];
  expect(valuesOf(texts, { type: 'text' }).slice(0, 5)).toEqual([null, 'KAP A', 'KAP A', 'KAP B', 'KAP A']);
  const flags = [
    { known_since: '2024-07-02', value: 'true' },
    { known_since: '2024-07-03', value: 'false' },
  ];
  expect(valuesOf(flags, { type: 'boolean' }).slice(0, 3)).toEqual([null, true, false]);
});

test('a later split restates what is told for one share or in shares, and nothing else', () => {
  const rows = [
    { known_since: '2024-07-02', value: '100' },
    { known_since: '2024-07-08', value: '30' },
  ];
  const factors = { '2024-07-04': 0.2 };
  expect(valuesOf(rows, { unit: 'idr_per_share', factors })).toEqual([null, 100, 100, 20, 20, 30, 30, 30]);
  expect(valuesOf(rows, { unit: 'shares', factors })).toEqual([null, 100, 100, 500, 500, 30, 30, 30]);
  expect(valuesOf(rows, { unit: 'idr', factors })).toEqual([null, 100, 100, 100, 100, 30, 30, 30]);
  // The weekend before a split is still in the old terms, although the value counts from its day on.
  const weekend = [{ known_since: '2024-07-06', value: '100' }];
  const monday = { '2024-07-08': 0.5 };
  expect(valuesOf(weekend, { unit: 'idr_per_share', factors: monday })[5]).toBe(50);
});

test('of any rows, the value of a day is that of the last row that was known by then', () => {
  const anyRow = fc.record({
    known_since: fc.integer({ min: -3, max: 12 }).map((day) => new Date(Date.UTC(2024, 6, day)).toISOString().slice(0, 10)), // prettier-ignore
    value: fc.option(fc.integer({ min: -5, max: 5 }).map(String)),
  });
  fc.assert(
    fc.property(fc.uniqueArray(anyRow, { selector: (row) => row.known_since, maxLength: 8 }), (unsorted) => {
      const rows = unsorted.toSorted((a, b) => (a.known_since < b.known_since ? -1 : 1));
      const expected = DATES.map((date) => {
        const value = rows.findLast(({ known_since }) => known_since <= date)?.value ?? null;
        return value === null ? null : Number(value);
      });
      expect(valuesOf(rows)).toEqual(expected);
      // What becomes known later changes no earlier day.
      const earlier = rows.filter(({ known_since }) => known_since <= DATES[4]!);
      expect(valuesOf(earlier).slice(0, 5)).toEqual(expected.slice(0, 5));
    }),
  );
});

test('any rules on facts let the same stocks pass on each day as a naive evaluator of what was known', () => {
  const tickers = ['S0', 'S1', 'S2'];
  const bars = tickers.flatMap((ticker) => DATES.map((date) => ({ ticker, date, close: 100 })));
  const { panel, history } = inputsOf(bars, panelOf(bars));
  const fields = [...FIELDS].map(([name, { type }]) => factField({ ...FACTS[0]!, name, type, unit: 'none' }));
  const byName = new Map(fields.map((field) => [field.name, field]));
  const span = { firstDay: 0, lastDay: DATES.length - 1 };
  const known = fc.record({
    day: fc.nat({ max: DATES.length - 1 }),
    ticker: fc.nat({ max: 2 }),
    seed: fc.nat({ max: 9 }),
  });
  const ofField = fc.array(known, { maxLength: 12 }).map((rows) => rows.toSorted((a, b) => a.day - b.day));
  fc.assert(
    fc.property(
      arbitraryRules,
      fc.array(ofField, { minLength: fields.length, maxLength: fields.length }),
      (rules, told) => {
        const facts = new Map(fields.map(({ name, type }) => [name, new FactHistory(type, panel)]));
        fields.forEach(({ name, type }, at) => {
          for (const { ticker, day, seed } of told[at]!) {
            const value = anyValue(name, type, seed);
            facts.get(name)!.add(ticker, DATES[day]!, value === null ? null : String(value));
          }
        });
        const market = marketColumns([...byName.keys()], { panel, history, facts }, span, byName);
        const days = DATES.map((_, day) =>
          tickers.map((ticker, stock): StockDay => {
            const values = Object.fromEntries(
              fields.map(({ name, type }, at) => {
                const newest = told[at]!.findLast((row) => row.ticker === stock && row.day <= day);
                return [name, newest ? anyValue(name, type, newest.seed) : null];
              }),
            );
            return { ticker, isListed: true, isLiquid: values['is_liquid'] === true, values, factor: 1 };
          }),
        );
        DATES.forEach((_, day) => {
          const { stocks } = evaluateDay(rules, market, day);
          expect(stocks.map(({ ticker }) => ticker)).toEqual(
            passingOf(rules, days, day).slice(0, rules.limit),
          );
        });
      },
    ),
  );
});

/** Few different values, so that there are ties, and null for the last seed. */
function anyValue(name: string, type: FieldType, seed: number): number | string | boolean | null {
  if (seed === 9) return null;
  if (type === 'number') return (seed % 5) - 2;
  if (type === 'boolean') return seed % 2 === 0;
  return name === 'sector' ? SECTORS[seed % 3]! : ['BULL', 'SIDEWAYS', 'BEAR'][seed % 3]!;
}
