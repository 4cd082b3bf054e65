import { expect, test } from 'vitest';
import { textTable } from './text-table.ts';

const HEAD = ['Ticker', 'Signals', 'Last Close'];
const ROWS = [
  ['AAAA', 3, '1,250'],
  ['BBBB', 2, '95'],
];

test('numbers stand under each other at the right', () => {
  expect(textTable(HEAD, ROWS)).toEqual([
    'Ticker  Signals  Last Close',
    'AAAA          3       1,250',
    'BBBB          2          95',
  ]);
});

test('a column with any word in it stands at the left, and a short row is filled up', () => {
  expect(textTable(['id', 'limit'], [['a', 5], ['longer', 'none'], ['b']])).toEqual([
    'id      limit',
    'a       5',
    'longer  none',
    'b',
  ]);
});

test('the rule is as wide as each column', () => {
  expect(textTable(HEAD, ROWS, { ruled: true })[1]).toBe('──────  ───────  ──────────');
});

test('a table without rows is its head', () => {
  expect(textTable(HEAD, [])).toEqual(['Ticker  Signals  Last Close']);
});

test('a table wider than the terminal becomes a block of lines per row', () => {
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
