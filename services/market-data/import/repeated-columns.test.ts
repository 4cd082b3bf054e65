import { expect, test } from 'vitest';
import { FactRows } from '../facts/fact-rows.ts';
import { LISTING_COLUMNS } from '#shared/data-format/idx-columns.ts';
import { USUAL_ASSUMPTIONS } from '#shared/data-format/broker-layout.ts';
import { parseActionTable } from './files/action-table.ts';
import { parseBrokerTable } from './files/broker-table.ts';
import { kindOfFile } from './files/idx-format.ts';

const layout = (header: string) => kindOfFile('some.csv', header, USUAL_ASSUMPTIONS);

test.each<[string, string, (header: string) => unknown]>([
  [
    'broker rows',
    'ticker,date,market,broker,buy_shares,buy_value,Sell_shares,sell_value,sell_shares',
    layout,
  ],
  ['a listing', `${LISTING_COLUMNS.join()},name`, layout],
  ['a broker table', 'code,name,is_retail,is_foreign,name', (header) => parseBrokerTable('some.csv', header)],
  [
    'corporate actions',
    'ticker,kind,ex_date,known_on,ratio,ratio',
    (header) => parseActionTable('some.csv', header),
  ],
  [
    'facts',
    'ticker,field,value,value,known_since',
    (header) => new FactRows('some.csv', new Map()).next(Buffer.from(`${header}\n`)),
  ],
])('%s in which a column stands twice are refused with its places', (_, header, read) => {
  const lowered = header.toLowerCase().split(',');
  const at = lowered.findLastIndex((column, i) => lowered.indexOf(column) < i);
  const name = header.split(',')[at];
  expect(() => read(header)).toThrow(
    expect.objectContaining({
      code: 'import_rejected',
      message: expect.stringMatching(
        `^some.csv:1: .*'${name}' is the name of the columns ${lowered.indexOf(lowered[at]!) + 1} and ${at + 1}`,
      ) as string,
    }),
  );
});

test('a column that no reader uses may stand twice', () => {
  expect(
    layout('ticker,date,market,broker,note,buy_shares,buy_value,sell_shares,sell_value,note'),
  ).toMatchObject({
    at: { buy_count: 5 },
  });
});
