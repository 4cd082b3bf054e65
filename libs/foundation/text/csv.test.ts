import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvFields, csvLine, spreadsheetCell, textOfCell } from './csv.ts';

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

test.each(['=1+1', '+1+1', '-1+1', '@SUM(1)', '\t=1', '\r=1', '\n=1', '＝1+1', '-A'])(
  'the text %j is no formula to a spreadsheet, and can be read back',
  (text) => {
    expect(spreadsheetCell(text)).toBe(`'${text}`);
    expect(textOfCell(spreadsheetCell(text))).toBe(text);
  },
);

test('numbers, also negative ones, and all other texts stay as they are', () => {
  for (const cell of [-5.25, 1e21, true, '-5', '+1.5e-3', 'QAAA-W', 'a=b', "'quoted'", ''])
    expect(textOfCell(spreadsheetCell(cell))).toBe(String(cell));
});
