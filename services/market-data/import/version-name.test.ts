import { expect, test } from 'vitest';
import { nextVersion } from './make-version.ts';

const taken = [
  'real-20240628-1',
  'real-20240628-10',
  'real-20240627-40',
  'synthetic-20240628-90',
  'real-20240701-3-synthetic-brokers',
].map((version) => ({ version }));
const named = (kind: string, lastDate: string, hasSyntheticBrokers = false) =>
  nextVersion({ kind, lastDate, hasSyntheticBrokers }, taken);

test('a version name has the kind, the last day and the next free number for both', () => {
  expect(named('real', '2024-06-28')).toBe('real-20240628-11');
  expect(named('real', '2024-07-02')).toBe('real-20240702-1');
});

test('a name marks synthetic broker rows on real bars, and both forms share one number sequence', () => {
  expect(named('real', '2024-06-28', true)).toBe('real-20240628-11-synthetic-brokers');
  expect(named('real', '2024-07-01')).toBe('real-20240701-4');
  expect(named('synthetic', '2024-06-28', true)).toBe('synthetic-20240628-91');
});
