import { describe, expect, test } from 'vitest';
import { USUAL_ASSUMPTIONS } from '#shared/data-format/broker-layout.ts';
import { IDX_COLUMNS, LISTING_COLUMNS } from '#shared/data-format/idx-columns.ts';
import { kindOfFile, sector, ticker } from './idx-format.ts';

const IDX = IDX_COLUMNS.join(',');
const LISTING = LISTING_COLUMNS.join(',');

describe('the kind of a file, recognised by its header', () => {
  test.each([
    ['bars/BBCA.csv', IDX, {}],
    ['anything/else.csv', `\uFEFF${IDX}`, {}],
    [
      'BBCA.csv',
      IDX.split(',')
        .map((column) => ` "${column}" `)
        .join(','),
      {},
    ],
    ['2024-07-01.csv', `Ticker,${IDX}`, { tickerColumn: 0 }],
    ['day.csv', IDX.replace('date,', 'date,code,'), { tickerColumn: 1 }],
    ['day.csv', `${IDX},stock`, { tickerColumn: 25 }],
    ['listing/all.csv', LISTING, 'listing'],
    ['all.csv', LISTING, 'listing'],
    ['listing/LQ45.csv', 'code,weight', 'other'],
    ['notes (old).csv', 'a,b', 'other'],
    ['BBCA.csv', 'code,name,is_retail,is_foreign,remark', 'broker table'],
  ])('of %s', (path, header, kind) => {
    expect(kindOfFile(path, header, USUAL_ASSUMPTIONS)).toEqual(kind);
  });

  test.each([
    [
      'a renamed column',
      IDX.replace('close', 'last'),
      /^bars\/BBCA\.csv:1: not the columns of the IDX daily format: missing close; unknown 'last'\.$/,
    ],
    ['a missing column', IDX.replace(/,[^,]*$/, ''), /format: missing non_regular_frequency\.$/],
    ['a column too many', `${IDX},more`, /format: unknown 'more'\.$/],
    ['a repeated column', `${IDX},close`, /format: repeated 'close'\.$/],
    [
      'two columns exchanged',
      IDX.replace('high,low', 'low,high'),
      /column 5 is 'low' where 'high' belongs\.$/,
    ],
    [
      'columns of its own',
      'date,a,b,c,d,e,f,g',
      /format: missing previous, .*; unknown 'a', 'b', 'c', 'd', 'e', 2 more\.$/,
    ],
    [
      'a ticker and a renamed column',
      `code,${IDX.replace('close', 'last')}`,
      /format: missing close; unknown 'last'\.$/,
    ],
  ])('is refused for bars with %s, naming the problem', (_, header, message) => {
    expect(() => kindOfFile('bars/BBCA.csv', header, USUAL_ASSUMPTIONS)).toThrow(
      expect.objectContaining({ code: 'import_rejected', message: expect.stringMatching(message) as string }),
    );
  });
});

test('a file of all tickers with a wrong header is refused regardless of its name', () => {
  const header = `code,${IDX.replace('close', 'last')}`;
  expect(() => kindOfFile('2024-07-01.csv', header, USUAL_ASSUMPTIONS)).toThrow(/missing close/);
});

test('a file with tickers and dates but no bars is refused, naming it and all missing columns', () => {
  const missing = IDX_COLUMNS.slice(1).join(', ');
  expect(() => kindOfFile('2024-07-01.csv', 'ticker,date,foo', USUAL_ASSUMPTIONS)).toThrow(
    `2024-07-01.csv:1: not the columns of the IDX daily format: missing ${missing}; unknown 'foo'.`,
  );
});

test('the ticker is the upper-case file name', () => {
  expect(ticker('a/b/bbca.CSV')).toBe('BBCA');
  expect(ticker('BBCA-W.csv')).toBe('BBCA-W');
  for (const path of ['a b.csv', '.csv', '1ABC.csv', 'bars/']) expect(ticker(path)).toBeUndefined();
});

test('the sector is the name of a file in the Sectors folder', () => {
  expect(sector('idx/listing/Sectors/Properties & Real Estate.csv')).toBe('Properties & Real Estate');
  expect(sector('listing/all.csv')).toBe('');
});
