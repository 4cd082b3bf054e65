import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkedMapping, FIELDS, INTO } from './mapping.ts';
import { VENDOR_MAPPING } from './mapping-fixture.ts';

const mistakesOf = (declared: unknown) => {
  const checked = checkedMapping(declared);
  return 'mistakes' in checked ? checked.mistakes.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`) : [];
};
const { fields } = VENDOR_MAPPING;

describe('a mapping', () => {
  test('that is right is accepted with its defaults', () => {
    expect(checkedMapping({ into: 'bars', body: { format: 'json' }, fields })).toMatchObject({
      mapping: {
        body: { header: true, rows: '' },
        ...{ decimal_mark: '.', thousands_mark: '', suffixes: {}, missing: ['', '-', 'N/A'] },
        ...{ date_format: 'YYYY-MM-DD', other_days: 'refuse', skip: [] },
      },
    });
  });

  test.each([
    [{ ...VENDOR_MAPPING, into: 'prices' }, 'into: must be one of bars, broker_rows'],
    [{ ...VENDOR_MAPPING, decimal: ',' }, 'decimal: is not known here; allowed: into, body, decimal_mark'],
    [{ ...VENDOR_MAPPING, body: {} }, 'body.format: is required: one of csv, json'],
    [{ ...VENDOR_MAPPING, body: { format: 'csv', rows: 'data' } }, 'body.rows: is for json only'],
    [{ ...VENDOR_MAPPING, body: { format: 'json', delimiter: ';' } }, 'body.delimiter: is for csv only'],
    [{ ...VENDOR_MAPPING, thousands_mark: ',' }, 'thousands_mark: must differ from decimal_mark'],
    [{ ...VENDOR_MAPPING, date_format: 'DD/MM' }, 'date_format: must be made of YYYY, MM or M or MMM'],
    [{ ...VENDOR_MAPPING, skip: [{ column: 'Kode' }] }, 'skip.0: must have either is or matches'],
    [
      { ...VENDOR_MAPPING, skip: [{ column: 'Kode', matches: '(' }] },
      'skip.0.matches: must be a regular expression',
    ],
    [
      { ...VENDOR_MAPPING, fields: { ...fields, opening: { column: 'A' } } },
      'fields.opening: is not known here; allowed: ticker, name, date',
    ],
    [
      { ...VENDOR_MAPPING, fields: { ...fields, close: {} } },
      'fields.close: must have exactly one of column, constant and requested_day',
    ],
    [
      { ...VENDOR_MAPPING, fields: { ...fields, close: { requested_day: true } } },
      'fields.close.requested_day: is for date only',
    ],
    [
      { ...VENDOR_MAPPING, fields: { ...fields, close: { column: 'A', unit: 'lots' } } },
      'fields.close.unit: must be one of idr, thousand_idr, million_idr, billion_idr',
    ],
    [
      { ...VENDOR_MAPPING, fields: { ...fields, ticker: { column: 'A', unit: 'lots' } } },
      'fields.ticker.unit: is not allowed here',
    ],
    [
      { ...VENDOR_MAPPING, fields: { ...fields, close: { column: 7 } } },
      'fields.close.column: may be a number only for csv without a header',
    ],
    [
      { into: 'broker_rows', body: { format: 'csv' }, fields: {} },
      'fields.broker: is required for broker_rows',
    ],
    [
      { into: 'broker_rows', body: { format: 'csv' }, fields: { buy_shares: { column: 'A' } } },
      'fields: must have either buy_shares, buy_value, sell_shares, sell_value or net_shares, net_value',
    ],
    [{ ...VENDOR_MAPPING, lists: [{ side: 'buy', fields: {} }] }, 'lists: is for broker_rows only'],
    [
      { into: 'broker_rows', body: { format: 'csv' }, fields: {}, lists: [{ side: 'buy', fields: {} }] },
      'lists.0.fields.shares: is required here or in fields',
    ],
    [
      {
        ...{ into: 'broker_rows', body: { format: 'csv' }, fields: {} },
        lists: [{ side: 'sell', rows: 'sellers', fields: { buy_shares: { column: 'A' } } }],
      },
      'lists.0.fields.buy_shares: is not known here; allowed: ticker, market, broker, mode, date, shares, value',
    ],
  ])('with a mistake names the field and what is allowed (%#)', (declared, message) => {
    expect(mistakesOf(declared)).toContainEqual(expect.stringContaining(message));
  });

  test('names every required field that is missing', () => {
    fc.assert(
      fc.property(fc.constantFrom(...INTO), fc.integer({ min: 0, max: 6 }), (into, at) => {
        const { all, required } = FIELDS[into];
        const missing = required[at % required.length]!;
        const rest = all.filter((name) => name !== missing && !name.startsWith('net_'));
        const declared = Object.fromEntries(rest.map((name) => [name, { column: 'A' }]));
        expect(mistakesOf({ into, body: { format: 'csv' }, fields: declared })).toEqual([
          `fields.${missing}: is required for ${into}`,
        ]);
      }),
    );
  });
});
