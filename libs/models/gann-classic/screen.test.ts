import { asRead } from '../fixtures/read-result-fixture.ts';
import type { Language } from '#foundation/text/languages.ts';
import { type CycleReading, emptyReading } from '#quant/gann/cycle-reading.ts';
import { expect, test } from 'vitest';
import { panelOf } from '#quant/panel/panel-fixture.ts';
import { gannRow } from './screen.ts';

const dates = Array.from({ length: 28 }, (_, i) => `2024-02-${String(i + 1).padStart(2, '0')}`);
const panel = panelOf(dates.map((date, i) => ({ ticker: 'AAAA', date, close: 1_000 + i })));
const STOCK = { row: 0, panelRow: 27, ticker: 0, code: 'AAAA', close: 1_027, averageValue: 2.5e9 };

function rowOf(cycle: Partial<CycleReading>, probability?: number, language?: Language, asOf = '2024-02-28') {
  const stock = probability === undefined ? STOCK : { ...STOCK, probability };
  const context = {
    panel,
    day: 27,
    regime: 'BULL' as const,
    barriers: { target_gain: 0.1, stop_loss: 0.05 },
  };
  const turning = { stock, cycle: { ...emptyReading(), ...cycle }, score: 61.26 };
  return asRead<Record<string, unknown>>(gannRow(turning, 1, asOf, context), language);
}

test('a row says which cycle is due, in calendar or exchange days, from a low or a high', () => {
  expect(rowOf({ hit: { days: 90, unit: 'calendar', from: 'low', daysLeft: 0 } })['Cycle Hit']).toBe(
    '90 hari dari swing low',
  );
  expect(rowOf({ hit: { days: 45, unit: 'exchange', from: 'high', daysLeft: 0 } })['Cycle Hit']).toBe(
    '45 hari bursa dari swing high',
  );
  expect(rowOf({})['Cycle Hit']).toBe('-');
});

test('a cycle due on another day says how many days are left or past', () => {
  const hit = { days: 90, unit: 'calendar', from: 'low' } as const;
  expect(rowOf({ hit: { ...hit, daysLeft: 2 } })['Cycle Hit']).toBe('90 hari dari swing low, 2 hari lagi');
  expect(rowOf({ hit: { ...hit, daysLeft: -1 } })['Cycle Hit']).toBe('90 hari dari swing low, lewat 1 hari');
});

test('the English text says the same, with the singular for one day', () => {
  const inEnglish = (daysLeft: number, unit: 'calendar' | 'exchange' = 'calendar') =>
    rowOf({ hit: { days: 90, unit, from: 'low', daysLeft } }, undefined, 'en')['Cycle Hit'];
  expect(inEnglish(0)).toBe('90 days from a swing low');
  expect(inEnglish(2, 'exchange')).toBe('90 trading days from a swing low, 2 trading days to go');
  expect(inEnglish(-1)).toBe('90 days from a swing low, 1 day ago');
});

test('levels are rounded to ticks away from the close, and the next turn counts calendar days', () => {
  const cycle = { score: 61.26, support: 1_026.9, resistance: 1_027.1, daysToNextTurn: 3 };
  expect(rowOf(cycle)).toMatchObject({
    'Sq9 Support': 1_025,
    'Sq9 Resistance': 1_030,
    'Next Turn Date': '2024-03-02',
    'Cycle Score': 61.3,
    Score: 61.3,
  });
  expect(rowOf({})).toMatchObject({
    'Sq9 Support': null,
    'Sq9 Resistance': null,
    'Next Turn Date': null,
  });
});

test('levels are rounded to the ticks of the analysed day', () => {
  const cycle = { support: 301.5, resistance: 302.5 };
  const on = (asOf: string) => rowOf(cycle, undefined, undefined, asOf);
  expect(on('2016-04-29')).toMatchObject({ 'Sq9 Support': 301, 'Sq9 Resistance': 303 });
  expect(on('2016-05-02')).toMatchObject({ 'Sq9 Support': 300, 'Sq9 Resistance': 304 });
});

test('a level below the floor of the stock’s board is left out', () => {
  expect(rowOf({ support: 49.9 })['Sq9 Support']).toBeNull();
  expect(rowOf({ support: 50.2 })['Sq9 Support']).toBe(50);
});

test('the probability is shown only when one was learnt', () => {
  expect(rowOf({}, 61.3).Probability).toBe('61.3%');
  expect(rowOf({}).Probability).toBe('-');
});
