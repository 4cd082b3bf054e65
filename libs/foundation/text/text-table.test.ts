import { expect, test } from 'vitest';
import { textTable } from './text-table.ts';

const HEAD = ['Ticker', 'Signals', 'Last Close'];
const ROWS = [
  ['AAAA', 3, '1,250'],
  ['BBBB', 2, '95'],
];

test('numbers are right-aligned', () => {
  expect(textTable(HEAD, ROWS)).toEqual([
    'Ticker  Signals  Last Close',
    'AAAA          3       1,250',
    'BBBB          2          95',
  ]);
});

test('a column that contains a word is left-aligned, and a short row is padded', () => {
  expect(textTable(['id', 'limit'], [['a', 5], ['longer', 'none'], ['b']])).toEqual([
    'id      limit',
    'a       5',
    'longer  none',
    'b',
  ]);
});

test('the rule below the header is as wide as each column', () => {
  expect(textTable(HEAD, ROWS, { ruled: true })[1]).toBe('──────  ───────  ──────────');
});

test('a table without rows consists of its header', () => {
  expect(textTable(HEAD, [])).toEqual(['Ticker  Signals  Last Close']);
});

test('a table wider than the terminal prints each row as a block of lines', () => {
  const rows = [
    ['key_1', 'models:read,models:run'],
    ['key_2', ''],
  ];
  expect(textTable(['id', 'scopes'], rows, { maxWidth: 20 })).toEqual([
    'id      key_1',
    'scopes  models:read,models:run',
    '',
    'id      key_2',
    'scopes',
  ]);
  expect(textTable(['id', 'scopes'], rows, { maxWidth: 80 })).toHaveLength(3);
});
