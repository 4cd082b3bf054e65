import { expect, test } from 'vitest';
import { retryAt, waitsForResults } from './awaited-results.ts';

const SINCE = '2024-07-02T10:00:00Z';
const SERVED = { version: 'real-2' };
const PLACE = { version: 1, dataset_version: 'real-1', awaited_version: 'real-2', awaited_since: SINCE };
const after = (minutes: number) => new Date(Date.parse(SINCE) + minutes * 60_000);
const waits = (change: object, now = after(1)) =>
  waitsForResults({ version: 1, place: { ...PLACE, ...change } }, SERVED, now);

test('a screen waits for the results of a new day for a quarter of an hour, and then goes on without them', () => {
  expect([0, 1, 14, 15, 60].map((minutes) => waits({}, after(minutes)))).toEqual([true, true, true, false, false]); // prettier-ignore
});

test('the wait for a version begins with that version', () => {
  expect(waits({ awaited_version: 'real-1' }, after(600))).toBe(true);
  expect(waits({ awaited_version: null, awaited_since: null }, after(600))).toBe(true);
});

test('a screen that was evaluated without the results is not evaluated again before they come', () => {
  expect(waits({ dataset_version: 'real-2' }, after(600))).toBe(true);
});

test('a screen that is new or was replaced is evaluated at once', () => {
  expect(waits({ version: 2 })).toBe(false);
  expect(waitsForResults({ version: 1, place: null }, SERVED, after(0))).toBe(false);
});

test('the longer a screen has waited the less often it asks, at least every five minutes', () => {
  const pauseAfter = (minutes: number) =>
    retryAt({ version: 1, place: PLACE }, SERVED, after(minutes)).getTime() - after(minutes).getTime();
  expect([0, 0.5, 10, 600].map(pauseAfter)).toEqual([5_000, 5_000, 60_000, 300_000]);
});
