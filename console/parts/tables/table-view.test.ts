import fc from 'fast-check';
import { expect, test } from 'vitest';
import { columnsOf, copyOf, csvOf, rowsOf, viewOf, viewText, WHOLE, type TableView } from './table-view.ts';

interface Row {
  ticker: string;
  close: number | null;
}

const COLUMNS = [
  { field: 'ticker', value: ({ ticker }: Row) => ticker },
  { field: 'close', value: ({ close }: Row) => close },
];
const FIELDS = COLUMNS.map(({ field }) => field);

const anyRows = fc.array(fc.record({ ticker: fc.string(), close: fc.option(fc.double({ noNaN: true })) }));
const anyView = fc.record<TableView>(
  {
    order: fc.record({ field: fc.constantFrom(...FIELDS), isDescending: fc.boolean() }),
    words: fc.string(),
    hidden: fc.subarray(FIELDS),
    pinned: fc.subarray(FIELDS),
  },
  { requiredKeys: ['words', 'hidden', 'pinned'] },
);

test('an address reproduces the view', () => {
  fc.assert(
    fc.property(anyView, (view) => {
      expect(viewOf(viewText(view), FIELDS)).toEqual(view);
    }),
  );
  expect(viewText(WHOLE)).toBe('');
});

test('an address that names what the table does not have shows the rest', () => {
  fc.assert(fc.property(fc.string(), (text) => void viewOf(text, FIELDS)));
  expect(viewOf('order=-volume&hidden=close,volume&pinned=volume,close,close', FIELDS)).toEqual({
    words: '',
    hidden: ['close'],
    pinned: ['close'],
  });
});

test('pinned columns follow the first, in the order in which they were pinned, unless they are hidden', () => {
  const columns = ['ticker', 'name', 'sector', 'close', 'value'].map((field) => ({ field }));
  const view = { ...WHOLE, pinned: ['close', 'name', 'ticker', 'value'], hidden: ['value'] };
  const { shown, pinned } = columnsOf([...columns, {}], view);
  expect(shown.map(({ field }: { field?: string }) => field)).toEqual([
    'ticker',
    'close',
    'name',
    'sector',
    undefined,
  ]);
  expect(pinned).toBe(2);
});

test('an order keeps every row, puts those without a value last, and equal ones as they were', () => {
  fc.assert(
    fc.property(anyRows, fc.boolean(), (rows, isDescending) => {
      const ordered = rowsOf(rows, COLUMNS, { ...WHOLE, order: { field: 'close', isDescending } });
      expect(new Set(ordered)).toEqual(new Set(rows));
      const closes = ordered.map(({ close }) => close);
      const known = closes.filter((close) => close !== null);
      expect(closes.slice(known.length).every((close) => close === null)).toBe(true);
      for (const [at, close] of known.slice(1).entries())
        expect(isDescending ? known[at]! >= close : known[at]! <= close).toBe(true);
      for (const close of new Set(closes)) {
        const same = (of: readonly Row[]) => of.filter((row) => row.close === close);
        expect(same(ordered)).toEqual(same(rows));
      }
    }),
  );
});

test('a search finds the rows that have every word, in any case', () => {
  const rows = [
    { ticker: 'Bank Central Asia', close: 9_000 },
    { ticker: 'Bank Mandiri', close: 6_500 },
    { ticker: 'Astra', close: null },
  ];
  const found = (words: string) => rowsOf(rows, COLUMNS, { ...WHOLE, words }).map(({ ticker }) => ticker);
  expect(found(' BANK  asia ')).toEqual(['Bank Central Asia']);
  expect(found('6500')).toEqual(['Bank Mandiri']);
  expect(found('null')).toEqual([]);
});

test('a file has every value under the name of its field, whatever characters it has', () => {
  const rows = [
    { ticker: 'a "b", c\nd', close: 1.5 },
    { ticker: 'e\tf', close: null },
  ];
  expect(csvOf(rows, COLUMNS)).toBe('ticker,close\r\n"a ""b"", c\nd",1.5\r\ne\tf,\r\n');
  expect(copyOf(rows, COLUMNS)).toBe('ticker\tclose\r\na "b", c d\t1.5\r\ne f\t\r\n');
});

test('no text of a file or copy runs as a formula, and negative numbers stay numbers', () => {
  const rows = [{ ticker: '=1+1', close: -1.5 }];
  expect(csvOf(rows, COLUMNS)).toBe("ticker,close\r\n'=1+1,-1.5\r\n");
  expect(copyOf(rows, COLUMNS)).toBe("ticker\tclose\r\n'=1+1\t-1.5\r\n");
});
