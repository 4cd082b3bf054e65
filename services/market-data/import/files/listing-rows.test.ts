import { expect, test } from 'vitest';
import { LISTING_COLUMNS } from '#shared/data-format/idx-columns.ts';
import { listingRows } from './listing-rows.ts';

const rowsOf = (...lines: string[]) => listingRows([LISTING_COLUMNS.join(','), ...lines, ''].join('\n'));

test('a line is a company, with its day if it has one', () => {
  expect(
    rowsOf('qaaa, "Contoh, ""Alfa"" Tbk." ,2001-05-14T00:00:00,1.0,Utama', '', ',nobody,,,', 'QBBB,Beta'),
  ).toEqual([
    {
      line: 2,
      text: 'qaaa, "Contoh, ""Alfa"" Tbk." ,2001-05-14T00:00:00,1.0,Utama',
      ticker: 'QAAA',
      name: 'Contoh, "Alfa" Tbk.',
      board: 'Utama',
      listed_on: '2001-05-14',
      reason: '',
    },
    { line: 5, text: 'QBBB,Beta', ticker: 'QBBB', name: 'Beta', board: '', listed_on: null, reason: '' },
  ]);
});

test.each([
  '2013-13-05',
  '2024-02-30',
  '1970-01-01',
  '1912-12-14',
  '2149-06-07',
  '05/12/2013',
  '2013-12-051',
  '0',
])('a listing date of %s is refused', (day) => {
  expect(rowsOf(`QAAA,Alfa,${day},1,Utama`)).toMatchObject([
    { line: 2, listed_on: null, reason: 'malformed listing date' },
  ]);
});
