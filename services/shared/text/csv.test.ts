import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvFields, csvLine } from './csv.ts';

test('fields come back as they were written, whatever is in them', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', ',', '"', ' ', '\n', 'é') }).map((text) => text.trim());
  fc.assert(
    fc.property(fc.array(cell, { minLength: 1 }), (cells) => {
      expect(csvFields(csvLine(cells))).toEqual(cells);
    }),
  );
});

test('fields that others wrote are read with and without quotes and spaces', () => {
  expect(csvFields(' "Alpha, Tbk." ,b, "say ""hi""",,')).toEqual(['Alpha, Tbk.', 'b', 'say "hi"', '', '']);
  expect(csvFields('"open,5" wide')).toEqual(['"open', '5" wide']);
  expect(csvFields('')).toEqual(['']);
});
