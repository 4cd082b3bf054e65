import { describe, expect, test } from 'vitest';
import { USUAL_ASSUMPTIONS } from '#shared/data-format/broker-layout.ts';
import { IDX_COLUMNS, LISTING_COLUMNS } from '#shared/data-format/idx-columns.ts';
import { kindOfFile } from '#services/market-data/import/files/idx-format.ts';
import { failureOf } from '../deliveries/source-failure-fixture.ts';
import { IdxSummary } from './idx-summary.ts';
import { summaryJson, summaryOf, summaryRow } from './summary-fixture.ts';

const DAY = '2024-07-01';
const read = (body: unknown, day = DAY) => readFrom(body, day);
const readFrom = (body: unknown, day: string | undefined) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return new IdxSummary().read({ name: 'GetStockSummary.json', bytes: Buffer.from(text) }, day);
};
const without = (field: string) => {
  const { [field]: _, ...rest } = summaryRow('QAAA', DAY);
  return rest;
};

describe('the daily summary of the exchange', () => {
  test('becomes bars and names that the importer recognises', async () => {
    const { rows, files, findings } = await read(summaryJson(DAY));
    expect([rows, findings]).toEqual([2, []]);
    const [bars, names] = files.map(({ bytes }) => bytes.toString().trim().split('\n'));
    expect(files.map(({ path }) => path)).toEqual([`bars/${DAY}.csv`, `listing/${DAY}.csv`]);
    expect(kindOfFile('bars/day.csv', bars![0]!, USUAL_ASSUMPTIONS)).toEqual({ tickerColumn: 0 });
    expect(kindOfFile('listing/day.csv', names![0]!, USUAL_ASSUMPTIONS)).toBe('listing');
    const header = bars![0]!.split(',');
    const bar: unknown = Object.fromEntries(bars![1]!.split(',').map((cell, i) => [header[i], cell]));
    expect(bar).toMatchObject({
      ...{
        ticker: 'QAAA',
        date: DAY,
        previous: '1000',
        open_price: '0',
        high: '1030',
        low: '995',
        close: '1020',
      },
      ...{ volume: '1200000', value: '1214400000', frequency: '350', listed_shares: '1000000000' },
      ...{ foreign_sell: '120000', foreign_buy: '300000', non_regular_volume: '500000', delisting_date: '' },
    });
    expect(header).toEqual(['ticker', ...IDX_COLUMNS]);
    expect(names).toEqual([
      LISTING_COLUMNS.join(','),
      'QAAA,Contoh QAAA Tbk.,,,',
      'QBBB,Contoh QBBB Tbk.,,,',
    ]);
  });

  test('reads numbers that come as text, and takes null for nothing', async () => {
    const asText = summaryRow('QAAA', DAY, {
      Close: '1020.0',
      Volume: ' 1200000 ',
      Value: '1.2144e9',
      Bid: null,
    });
    const [bars] = (await read(summaryOf([asText]))).files;
    expect(bars!.bytes.toString()).toContain(',1020.0,20,1200000,1.2144e9,350,510,1025,40000,,12300,');
  });

  test('tells added fields and reads on', async () => {
    const { findings } = await read(summaryOf([summaryRow('QAAA', DAY, { Notation: 'X' })]));
    expect(findings).toEqual(['fields that are not known and not read: Notation']);
  });

  test.each([
    [
      'a renamed field',
      summaryOf([{ ...without('Close'), ClosePrice: 1020 }]),
      "GetStockSummary.json: row 1 has other fields than the summary had: missing: 'Close'; unknown: 'ClosePrice'.",
    ],
    [
      'a field that one row lacks',
      summaryOf([summaryRow('QBBB', DAY), without('Volume')]),
      "GetStockSummary.json: row 2 has other fields than the summary had: missing: 'Volume'.",
    ],
    [
      'text in a number',
      summaryOf([summaryRow('QAAA', DAY, { High: '1.030,5' })]),
      'row 1: High is "1.030,5", expected a number.',
    ],
    [
      'a number with thousands marks',
      summaryOf([summaryRow('QAAA', DAY, { Volume: '1.200' })]),
      'row 1: Volume is "1.200", expected a whole number.',
    ],
    [
      'a truth value',
      summaryOf([summaryRow('QAAA', DAY, { Low: true })]),
      'row 1: Low is true, expected a number.',
    ],
    [
      'a number as a name',
      summaryOf([summaryRow('QAAA', DAY, { StockName: 5 })]),
      'row 1: StockName is 5, expected text.',
    ],
    [
      'another form of date',
      summaryOf([summaryRow('QAAA', DAY, { Date: '01/07/2024' })]),
      'row 1: Date is "01/07/2024", expected YYYY-MM-DDT00:00:00.',
    ],
    ['no list', { recordsTotal: 0 }, "GetStockSummary.json: the answer has no list 'data'."],
    ['no total', { data: [] }, "GetStockSummary.json: 'recordsTotal' must be the number of rows."],
    ['a list of lists', { recordsTotal: 1, data: [[]] }, 'GetStockSummary.json: item 1 is not an object.'],
    ['no JSON', '{"recordsTotal": oops}', 'GetStockSummary.json is not JSON'],
  ])('with %s is named as of another shape', async (_, body, message) => {
    expect((await failureOf(read(body), 'changed_shape')).message).toContain(message);
  });

  test('of another day than the requested one is refused, naming both', async () => {
    const { message } = await failureOf(read(summaryJson('2024-06-28')), 'repeated_day');
    expect(message).toContain('Asked for 2024-07-01, the source answered with 2024-06-28');
  });

  test('has the same digest for the same numbers under another date, in another order', async () => {
    const rows = (day: string) => [summaryRow('QAAA', day), summaryRow('QBBB', day, { Close: 1000 })];
    const monday = await read(summaryOf(rows(DAY)));
    const tuesday = await read(summaryOf(rows('2024-07-02').reverse()), '2024-07-02');
    const other = await read(summaryOf([summaryRow('QAAA', DAY), summaryRow('QBBB', DAY, { Close: 1001 })]));
    expect(tuesday.digest).toBe(monday.digest);
    expect(other.digest).not.toBe(monday.digest);
  });

  test('cut short is named as such, wherever it is cut', async () => {
    const whole = summaryJson(DAY);
    for (let end = 1; end < whole.length; end += 41) await failureOf(read(whole.slice(0, end)), 'truncated');
    const { message } = await failureOf(
      read({ recordsTotal: 2, data: [summaryRow('QAAA', DAY)] }),
      'truncated',
    );
    expect(message).toBe('GetStockSummary.json announces 2 rows and has 1.');
  });

  test('without stocks, or before any trade, is not published yet', async () => {
    await failureOf(read({ recordsTotal: 0, data: [] }), 'not_published');
    await failureOf(read(summaryOf([summaryRow('QAAA', DAY, { Volume: 0 })])), 'not_published');
  });

  test('in a dropped file may have any day, but only one', async () => {
    expect((await readFrom(summaryJson('2024-06-28'), undefined)).files[0]!.path).toBe('bars/2024-06-28.csv');
    await failureOf(
      readFrom(summaryOf([summaryRow('QAAA', DAY), summaryRow('QBBB', '2024-06-28')]), undefined),
      'repeated_day',
    );
  });
});
