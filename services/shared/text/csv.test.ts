import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvFields, csvLine } from './csv.ts';

test('fields survive a CSV round trip, whatever they contain', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', ',', '"', ' ', '\n', 'é') }).map((text) => text.trim());
  fc.assert(
    fc.property(fc.array(cell, { minLength: 1 }), (cells) => {
      expect(csvFields(csvLine(cells))).toEqual(cells);
    }),
  );
});

test('CSV from other tools is parsed with or without quotes and spaces', () => {
  expect(csvFields(' "Alpha, Tbk." ,b, "say ""hi""",,')).toEqual(['Alpha, Tbk.', 'b', 'say "hi"', '', '']);
  expect(csvFields('"open,5" wide')).toEqual(['"open', '5" wide']);
  expect(csvFields('')).toEqual(['']);
});
