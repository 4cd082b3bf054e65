import { expect, test } from 'vitest';
import { isPattern, patternOf } from './pattern.ts';

test.each([
  ['-W\\d*$', 'QAAA-W2', true],
  ['-W\\d*$', 'QAAA-WX', false],
  ['^(TOTAL|Jumlah)', 'Jumlah saham', true],
  ['^\\p{L}+$', 'Énergi', true],
  ['(?i)waran', 'WARAN ALFA', true],
  ['^([A-Z]+)+-W$', 'QAAA-W', true],
])('%s is looked for in %s', (pattern, text, found) => {
  expect(patternOf(pattern).matcher(text).find()).toBe(found);
});

test('what only an engine that backtracks can match is no pattern, and neither is one without bounds', () => {
  for (const pattern of ['(?=Q)', '(?<!Q)A', '(Q)\\1', '(', '(?:Q{100}){100}', 'Q'.repeat(201)])
    expect(isPattern(pattern)).toBe(false);
});

test('the steps of a match grow with the pattern as written, not with the ways in which it can match', () => {
  expect(patternOf('^([A-Z]+)+-W$').programSize()).toBeLessThan(20);
});
