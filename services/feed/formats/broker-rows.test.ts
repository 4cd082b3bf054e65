import { describe, expect, test } from 'vitest';
import {
  brokerLayout,
  USUAL_ASSUMPTIONS,
  type BrokerAssumptions,
} from '#shared/data-format/broker-layout.ts';
import { failureOf } from '../deliveries/source-failure-fixture.ts';
import { BrokerRows } from './broker-rows.ts';

const DAY = '2024-07-01';
const read = (
  body: unknown,
  {
    day = DAY,
    assumed = USUAL_ASSUMPTIONS,
    name = 'rows.csv',
  }: { day?: string; assumed?: BrokerAssumptions; name?: string } = {},
) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return new BrokerRows(assumed).read({ name, bytes: Buffer.from(text) }, day);
};
const linesOf = (reading: Awaited<ReturnType<typeof read>>) =>
  reading.files[0]!.bytes.toString().trim().split('\n');

const CSV = `ticker,date,market,broker,buy_lots,buy_value,sell_lots,sell_value,remark
QAAA,20240701,RG,AK,8000,809600000,2000,202400000,"a, b"
QAAA,20240701,RG,YP,4000,404800000,10000,1012000000,
`;

describe('full lists of broker rows', () => {
  test('from CSV keep the columns that the importer reads', async () => {
    const reading = await read(CSV);
    expect(reading).toMatchObject({ rows: 2, findings: [] });
    expect(linesOf(reading)).toEqual([
      'ticker,date,market,broker,buy_lots,buy_value,sell_lots,sell_value',
      'QAAA,20240701,RG,AK,8000,809600000,2000,202400000',
      'QAAA,20240701,RG,YP,4000,404800000,10000,1012000000',
    ]);
    expect(brokerLayout('rows.csv', 'csv', linesOf(reading)[0]!.split(','), USUAL_ASSUMPTIONS)?.unit).toBe(
      'lots',
    );
  });

  const object = {
    symbol: 'QAAA',
    date: `${DAY}T00:00:00`,
    board: 'RG',
    broker_code: 'AK',
    net_volume: '-1.2e+03',
    net_val: -5,
    extra: {},
  };
  test.each([
    ['an array', JSON.stringify([object, { ...object, broker_code: 'YP' }])],
    [
      'one object per line',
      `${JSON.stringify(object)}\n${JSON.stringify({ ...object, broker_code: 'YP' })}\n`,
    ],
    [
      'the only list of an object',
      JSON.stringify({ total: 2, data: [object, { ...object, broker_code: 'YP' }] }),
    ],
  ])('from JSON as %s', async (_, body) => {
    expect(linesOf(await read(body))).toEqual([
      'symbol,date,board,broker_code,net_volume,net_val',
      'QAAA,2024-07-01T00:00:00,RG,AK,-1.2e+03,-5',
      'QAAA,2024-07-01T00:00:00,RG,YP,-1.2e+03,-5',
    ]);
  });

  test('of another day are refused, naming both', async () => {
    const { message } = await failureOf(read(CSV, { day: '2024-07-02' }), 'repeated_day');
    expect(message).toContain(
      'Asked for 2024-07-02, the source answered with 2024-07-01 (line 2 of rows.csv)',
    );
  });

  test('have the same digest under another date', async () => {
    const repeated = await read(CSV.replaceAll('20240701', '20240702'), { day: '2024-07-02' });
    expect(repeated.digest).toBe((await read(CSV)).digest);
    expect((await read(CSV.replace('8000', '8001'))).digest).not.toBe(repeated.digest);
  });

  test.each([
    [
      'a missing column',
      CSV.replace('market', 'segment'),
      "a file of broker rows must have a column 'market'",
    ],
    ['other columns', 'a,b\n1,2\n', 'no broker rows begin with the columns a, b'],
    ['a row that is too long', CSV.replace('a, b"', 'a", b'), 'line 2 has 10 fields, the header 9'],
    ['no date', CSV.replace('20240701', '1 July'), "line 2: the date '1 July' is no YYYY-MM-DD or YYYYMMDD"],
  ])('with %s are of another shape', async (_, body, message) => {
    expect((await failureOf(read(body), 'changed_shape')).message).toContain(message);
  });

  test('cut short are named as such', async () => {
    await failureOf(read(CSV.slice(0, -30)), 'truncated');
    await failureOf(read(JSON.stringify([object]).slice(0, -3)), 'truncated');
  });

  test('that are empty are not published yet', async () => {
    await failureOf(read(`${CSV.split('\n')[0]}\n`), 'not_published');
    await failureOf(read('[]'), 'not_published');
  });
});

describe('lists of the largest buyers and sellers', () => {
  const lists = {
    ticker: 'QAAA',
    date: DAY,
    market: 'RG',
    buyers: [
      { broker: 'AK', lots: '1.2 M', value: '12.3 B', average: 1020 },
      { broker: 'YP', lots: 4000, value: '404,800,000' },
    ],
    sellers: [{ broker: 'AK', lots: -2000, value: -202_400_000 }],
  };

  test('become rows with both sides of a broker, and say that they are partial and rounded', async () => {
    const reading = await read(lists, { name: 'top.json' });
    expect(linesOf(reading)).toEqual([
      'ticker,date,market,broker,mode,buy_shares,buy_value,sell_shares,sell_value',
      'QAAA,2024-07-01,RG,AK,gross,120000000,12300000000,200000,202400000',
      'QAAA,2024-07-01,RG,YP,gross,400000,404800000,0,0',
    ]);
    expect(reading).toMatchObject({
      rows: 3,
      findings: [
        'lists of the largest buyers and sellers only, so partial: 1 (first QAAA 2024-07-01 RG)',
        'rows with rounded amounts: 1 (first item 1)',
      ],
    });
  });

  test('from CSV have a column side, and the unit and mode that the source declares', async () => {
    const csv = `side,ticker,date,market,broker,vol,val\nbuy,QAAA,${DAY},RG,AK,8000,809600000\nS,QAAA,${DAY},RG,YP,8000,809600000\n`;
    expect(linesOf(await read(csv, { assumed: { unit: 'lots', mode: 'net' } })).slice(1)).toEqual([
      'QAAA,2024-07-01,RG,AK,net,800000,809600000,0,0',
      'QAAA,2024-07-01,RG,YP,net,0,0,800000,809600000',
    ]);
  });

  test.each([
    ['no list of sellers', { ...lists, sellers: undefined }, "'sellers' must be a list"],
    ['no market', { ...lists, market: undefined }, "must have a column 'market'"],
    [
      'no amounts',
      { ...lists, buyers: [{ broker: 'AK' }], sellers: [] },
      "must have a column 'shares' or 'lots'",
    ],
    [
      'an amount in words',
      { ...lists, buyers: [{ broker: 'AK', lots: 'many', value: 1 }] },
      "item 1: 'many' is no amount",
    ],
    [
      'a broker twice',
      { ...lists, sellers: [lists.sellers[0], lists.sellers[0]] },
      'repeats the sell side of QAAA 2024-07-01 RG AK',
    ],
  ])('with %s are of another shape', async (_, body, message) => {
    expect((await failureOf(read(body), 'changed_shape')).message).toContain(message);
  });
});
