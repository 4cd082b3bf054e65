import { describe, expect, test } from 'vitest';
import { kindOfFile } from '#services/market-data/import/files/idx-format.ts';
import { brokerLayout, USUAL_ASSUMPTIONS, type BrokerAssumptions } from './broker-layout.ts';

const LOTS: BrokerAssumptions = { unit: 'lots', mode: 'gross' };
const KEYS = 'ticker,date,market,broker';

describe('a broker file, recognised by its header regardless of its name', () => {
  test('may have its columns in any order; unknown columns are ignored', () => {
    const header =
      'source,ticker,date,market,mode,broker,type,buy_shares,buy_value,sell_shares,sell_value,remark';
    expect(kindOfFile('bars/BBCA.csv', header, USUAL_ASSUMPTIONS)).toEqual({
      format: 'csv',
      columns: header.split(','),
      at: {
        ticker: 1,
        date: 2,
        market: 3,
        mode: 4,
        broker: 5,
        buy_count: 7,
        buy_value: 8,
        sell_count: 9,
        sell_value: 10,
      },
      amounts: 'both sides',
      unit: 'shares',
      mode: 'gross',
    });
  });

  test.each([
    ['Stock,Trade_Date,Board,Broker_Code,Buy_Lot,Buy_Val,Sell_Lot,Sell_Val', 'both sides', 'lots', 'gross'],
    [`${KEYS},buy_lots,buy_value,sell_lots,sell_value`, 'both sides', 'lots', 'gross'],
    [`${KEYS},buy_shares,buy_value,sell_shares,sell_value,net_lots`, 'both sides', 'shares', 'gross'],
    [`${KEYS},net_lots,net_value`, 'difference', 'lots', 'net'],
    ['code,date,market,broker,net_shares,net_value', 'difference', 'shares', 'net'],
  ])('with the header %s', (header, amounts, unit, mode) => {
    expect(brokerLayout('a.csv', 'csv', header.split(','), USUAL_ASSUMPTIONS)).toMatchObject({
      amounts,
      unit,
      mode,
    });
  });

  test('takes unit and mode from the operator when the column names leave them open', () => {
    const open = `${KEYS},buy_volume,buy_value,sell_volume,sell_value`.split(',');
    expect(brokerLayout('a.csv', 'csv', open, LOTS)).toMatchObject({ unit: 'lots', mode: 'gross' });
    expect(brokerLayout('a.csv', 'csv', open, { unit: 'shares', mode: 'net' })).toMatchObject({
      unit: 'shares',
      mode: 'net',
    });
    const said = `${KEYS},buy_shares,buy_value,sell_shares,sell_value`.split(',');
    expect(brokerLayout('a.csv', 'csv', said, LOTS)).toMatchObject({ unit: 'shares' });
  });

  test('drops unknown members of JSON objects, so that their names never reach a query', () => {
    const members = ['`x`', ...`${KEYS},net_shares,net_value`.split(','), "it's"];
    expect(brokerLayout('a.json', 'json', members, USUAL_ASSUMPTIONS)!.columns).toEqual(members.slice(1, -1));
  });
});

test.each([
  [`${KEYS},buy_shares,buy_value,sell_shares`, `'sell_value'`],
  [`${KEYS},buy_shares,buy_value,sell_value`, `'sell_shares' or 'sell_lots'`],
  [`${KEYS},net_value`, `'net_shares' or 'net_lots'`],
  ['ticker,date,broker,buy_lots,buy_value,sell_lots,sell_value', `'market'`],
  ['ticker,date,market,buy_lots,buy_value,sell_lots,sell_value', `'broker'`],
  ['date,market,broker,net_shares,net_value', `'ticker'`],
])('a header that lacks one column (%s) is refused with the name of that column', (header, column) => {
  const message = `rows/a.csv:1: a file of broker rows must have a column ${column}.`;
  expect(() => kindOfFile('rows/a.csv', header, USUAL_ASSUMPTIONS)).toThrow(
    expect.objectContaining({ code: 'import_rejected', message }),
  );
});

test('a header that lacks several columns is refused with the names of all', () => {
  expect(() => kindOfFile('a.csv', 'ticker,broker,buy_value', USUAL_ASSUMPTIONS)).toThrow(
    "a.csv:1: a file of broker rows must have the columns 'date', 'market', 'buy_shares' or 'buy_lots', " +
      "'sell_shares' or 'sell_lots', 'sell_value'.",
  );
});

test.each(['broker,name', 'ticker,date,net_value', 'ticker,date,close', 'code,name,weight'])(
  'a file with the header %s is not a broker file',
  (header) => {
    expect(brokerLayout('a.csv', 'csv', header.split(','), USUAL_ASSUMPTIONS)).toBeUndefined();
  },
);
