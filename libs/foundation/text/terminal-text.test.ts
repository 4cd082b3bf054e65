import fc from 'fast-check';
import { expect, test } from 'vitest';
import { terminalJson, terminalText } from './terminal-text.ts';

test.each([
  ['\x1b[2J\x1b]0;title\x07', '\\x1b[2J\\x1b]0;title\\x07'],
  ['\x9b31m and \x7f', '\\x9b31m and \\x7f'],
  ['real\u202elaer\u2066', 'real\\u202elaer\\u2066'],
  ['a\nb\r\tc\u2028d', 'a\\nb\\r\\tc\\u2028d'],
  ['tag \u{e0041} half \ud800', 'tag \\u{e0041} half \\ud800'],
  ['Saring – naik 3 % 📈 ✓', 'Saring – naik 3 % 📈 ✓'],
])('%j is shown as %s', (text, shown) => {
  expect(terminalText(text)).toBe(shown);
});

test('no control character reaches the terminal, except line feeds when they are kept', () => {
  const acts = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u;
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(terminalText(text)).not.toMatch(acts);
      const lines = terminalText(text, { keepsLines: true }).split('\n');
      expect(lines).toHaveLength(text.split('\n').length);
      expect(lines.join('')).not.toMatch(acts);
    }),
  );
});

test('a JSON document keeps its content and loses its control characters', () => {
  const text = fc.string({ unit: 'binary' });
  fc.assert(
    fc.property(fc.dictionary(text, text), (document) => {
      const shown = terminalJson(document);
      expect(shown.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u);
      expect(JSON.parse(shown)).toEqual(JSON.parse(JSON.stringify(document)));
    }),
  );
});
