import { describe, expect, test } from 'vitest';
import { USUAL_ASSUMPTIONS } from '#shared/data-format/broker-layout.ts';
import { kindOfFile } from '#services/market-data/import/files/idx-format.ts';
import { failureOf } from '../deliveries/source-failure-fixture.ts';
import { MappedFormat } from './mapped-format.ts';
import { mappingOf, VENDOR_CSV, VENDOR_MAPPING } from './mapping-fixture.ts';

const DAY = '2024-07-01';
const read = (declared: object, body: string | object, day: string | undefined = DAY) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return new MappedFormat(mappingOf(declared)).read({ name: 'vendor.csv', bytes: Buffer.from(text) }, day);
};
const linesOf = (bytes: Buffer) => bytes.toString().trim().split('\n');

describe('a source described by a mapping', () => {
  test('becomes bars and names, with its units, marks, dates and skipped rows understood', async () => {
    const reading = await read(VENDOR_MAPPING, VENDOR_CSV);
    expect(reading).toMatchObject({ rows: 2, findings: ['rows that the mapping skips: 2'] });
    const [bars, names] = reading.files;
    const [header, alfa, beta] = linesOf(bars!.bytes);
    expect(kindOfFile('bars/day.csv', header!, USUAL_ASSUMPTIONS)).toEqual({ tickerColumn: 0 });
    expect(alfa).toBe(`QAAA,${DAY},1000,,,1030,995,1020,,1200000,1214400000${','.repeat(15)}`);
    expect(beta).toBe(`QBBB,${DAY},200,,,,,200${','.repeat(18)}`);
    expect(linesOf(names!.bytes).slice(1)).toEqual(['QAAA,Contoh Alfa Tbk.,,,', 'QBBB,Contoh Beta; Tbk.,,,']);
  });

  test('can be JSON with rows deep inside, and take the requested day as the date', async () => {
    const declared = {
      into: 'bars',
      body: { format: 'json', rows: 'result.items' },
      fields: {
        ...Object.fromEntries(['high', 'low', 'close'].map((name) => [name, { column: `price.${name}` }])),
        ticker: { column: 'code' },
        date: { requested_day: true },
        volume: { column: 'volume' },
        value: { column: 'value', unit: 'billion_idr' },
      },
    };
    const item = { code: 'QAAA', price: { high: 10, low: '9', close: 9.5 }, volume: 1000, value: 1.1 };
    const { files, findings } = await read(declared, { result: { items: [item], other: [] } });
    expect(linesOf(files[0]!.bytes)[1]).toBe(`QAAA,${DAY},,,,10,9,9.5,,1000,1100000000${','.repeat(15)}`);
    expect(findings).toEqual([
      'no reference price, so splits of these days are not adjusted unless another source has one',
    ]);
  });

  test('can be broker rows in CSV without a header, with constants and words', async () => {
    const declared = {
      into: 'broker_rows',
      body: { format: 'csv', header: false, delimiter: '|' },
      date_format: 'YYYYMMDD',
      suffixes: { jt: 1e6 },
      fields: {
        ticker: { column: 1 },
        date: { column: 2 },
        market: { column: 3, words: { Reguler: 'RG', Nego: 'NG' } },
        broker: { column: 4 },
        mode: { constant: 'net' },
        net_shares: { column: 5, unit: 'lots' },
        net_value: { column: 6 },
      },
    };
    const { files } = await read(declared, 'QAAA|20240701|Reguler|AK|-120|-2.4jt\n');
    const lines = linesOf(files[0]!.bytes);
    expect(lines).toEqual([
      'ticker,market,broker,mode,date,net_shares,net_value',
      `QAAA,RG,AK,net,${DAY},-12000,-2400000`,
    ]);
    expect(kindOfFile('rows.csv', lines[0]!, USUAL_ASSUMPTIONS)).toMatchObject({
      amounts: 'difference',
      unit: 'shares',
    });
  });

  test('names row and column of cells that it cannot understand, and how many more there are', async () => {
    const broken = VENDOR_CSV.replace('1.030', '1,030.0').replace('01/07/2024;200', '2024-07-01;200');
    expect((await failureOf(read(VENDOR_MAPPING, broken), 'changed_shape')).message).toBe(
      "vendor.csv: line 2, column 'Tertinggi': '1,030.0' is no number with decimal mark ',', thousands mark '.', and not listed in missing; " +
        "line 3, column 'Tanggal': '2024-07-01' is no date of the form DD/MM/YYYY.",
    );
    const many = VENDOR_CSV.split('\n')[0] + '\nQAAA;Alfa;x;x;x;x;x;x;x';
    expect((await failureOf(read(VENDOR_MAPPING, many), 'changed_shape')).message).toMatch(/; and 2 more\.$/);
  });

  test('names columns that were renamed', async () => {
    const renamed = VENDOR_CSV.replace('Penutupan', 'Harga');
    expect((await failureOf(read(VENDOR_MAPPING, renamed), 'changed_shape')).message).toBe(
      "vendor.csv: no row has the column 'Penutupan'.",
    );
  });

  test('refuses other days than the requested one, or leaves them out where the mapping says so', async () => {
    const next = '2024-07-02';
    await failureOf(read(VENDOR_MAPPING, VENDOR_CSV, next), 'repeated_day');
    const skipping = { ...VENDOR_MAPPING, other_days: 'skip' };
    await failureOf(read(skipping, VENDOR_CSV, next), 'not_published');
    const both = VENDOR_CSV.replace('01/07/2024;200', '02/07/2024;200');
    expect((await read(skipping, both, next)).findings).toContain('rows of other days, left out: 1');
  });

  test('has the same digest under another date', async () => {
    const tomorrow = VENDOR_CSV.replaceAll('01/07', '02/07');
    expect((await read(VENDOR_MAPPING, tomorrow, '2024-07-02')).digest).toBe(
      (await read(VENDOR_MAPPING, VENDOR_CSV)).digest,
    );
  });

  test('has no digest on a day without trades, which is like any other such day', async () => {
    const quiet = VENDOR_CSV.split('\n').filter((line) => !line.startsWith('QAAA;'));
    expect((await read(VENDOR_MAPPING, quiet.join('\n'))).digest).toBe('');
  });
});

const BROKER_LISTS = {
  into: 'broker_rows',
  body: { format: 'json' },
  date_format: 'YYYYMMDD',
  fields: {
    ticker: { column: 'data.symbol' },
    date: { column: 'day' },
    market: { constant: 'RG' },
    broker: { column: 'code' },
  },
  lists: [
    {
      side: 'buy',
      rows: 'data.buyers',
      fields: { shares: { column: 'blot', unit: 'lots' }, value: { column: 'bval' } },
    },
    {
      side: 'sell',
      rows: 'data.sellers',
      fields: { shares: { column: 'slot', unit: 'lots' }, value: { column: 'sval' } },
    },
  ],
};
const BROKER_HEADER = 'ticker,market,broker,date,buy_shares,sell_shares,buy_value,sell_value';

describe('broker rows in several lists', () => {
  const buyers = [{ code: 'AK', day: '20240701', blot: '15000', bval: '6.12E9' }];
  const sellers = [{ code: 'AK', day: '20240701', slot: '-15000', sval: '-6.12e9' }];

  test('have the side of their list, with lots as text, exponents and negative sellers', async () => {
    const body = { tags: [], data: { symbol: 'QAAA', buyers, sellers } };
    const { files, rows } = await read(BROKER_LISTS, body);
    expect(rows).toBe(2);
    expect(linesOf(files[0]!.bytes)).toEqual([
      BROKER_HEADER,
      `QAAA,RG,AK,${DAY},1500000,0,6120000000,0`,
      `QAAA,RG,AK,${DAY},0,-1500000,0,-6120000000`,
    ]);
  });

  test('may be empty, and are named by their place if they are missing or have a bad cell', async () => {
    const one = await read(BROKER_LISTS, { data: { symbol: 'QAAA', buyers, sellers: null } });
    expect(one.rows).toBe(1);
    const message = async (data: object) =>
      (await failureOf(read(BROKER_LISTS, { data: { symbol: 'QAAA', buyers, ...data } }), 'changed_shape'))
        .message;
    expect(await message({})).toBe("vendor.csv: item 1: there is no list at 'data.sellers'.");
    expect(await message({ sellers: [{ ...sellers[0], slot: 'some' }] })).toContain(
      "item 1, data.sellers 1, column 'slot': 'some' is no number",
    );
  });

  test('may stand side by side in a table, the shorter one ending in empty cells', async () => {
    const side = (nth: number) => ({
      broker: { column: `Broker#${nth}` },
      shares: { column: `Lot#${nth}`, unit: 'lots' },
      value: { column: `Nilai#${nth}` },
    });
    const declared = {
      into: 'broker_rows',
      body: { format: 'csv' },
      fields: { ticker: { column: 'Kode' }, date: { requested_day: true }, market: { constant: 'RG' } },
      lists: [
        { side: 'buy', fields: side(1) },
        { side: 'sell', fields: side(2) },
      ],
    };
    const table = 'Kode,Broker,Lot,Nilai,Broker,Lot,Nilai\nQAAA,AK,2,400,YP,1,200\nQAAA,,,,CC,1,200\n';
    const { files } = await read(declared, table);
    expect(linesOf(files[0]!.bytes).slice(1)).toEqual([
      `QAAA,RG,AK,${DAY},200,0,400,0`,
      `QAAA,RG,YP,${DAY},0,100,0,200`,
      `QAAA,RG,CC,${DAY},0,100,0,200`,
    ]);
  });

  test('may be one list in which a column says the side', async () => {
    const only = (side: string) => [{ column: 'side', is: [side === 'B' ? 'S' : 'B'] }];
    const amounts = { shares: { column: 'shares' }, value: { column: 'value' } };
    const declared = {
      ...BROKER_LISTS,
      fields: { ...BROKER_LISTS.fields, ticker: { constant: 'QAAA' } },
      lists: [
        { side: 'buy', skip: only('B'), fields: amounts },
        { side: 'sell', skip: only('S'), fields: amounts },
      ],
    };
    const entry = { code: 'AK', day: '20240701', shares: 100, value: 200 };
    const { files, findings } = await read(declared, [
      { ...entry, side: 'B' },
      { ...entry, side: 'S' },
    ]);
    expect(linesOf(files[0]!.bytes).slice(1)).toEqual([
      `QAAA,RG,AK,${DAY},100,0,200,0`,
      `QAAA,RG,AK,${DAY},0,100,0,200`,
    ]);
    expect(findings).toEqual([]);
  });
});

describe('a column whose name stands twice', () => {
  const table = VENDOR_CSV.split('\n')
    .slice(0, 2)
    .map((line, i) => `${line};${i === 0 ? 'Volume (lot);Nilai (juta)' : '5.000;505'}`)
    .join('\n');
  const using = (volume: string, value: string) => ({
    ...VENDOR_MAPPING,
    fields: {
      ...VENDOR_MAPPING.fields,
      volume: { column: volume, unit: 'lots' },
      value: { column: value, unit: 'million_idr' },
    },
  });

  test('is refused with its places, because nothing says which is meant', async () => {
    expect((await failureOf(read(VENDOR_MAPPING, table), 'changed_shape')).message).toBe(
      "vendor.csv: 'Volume (lot)' is the name of the columns 8 and 10. " +
        "The mapping must say which: 'Volume (lot)#1' or 'Volume (lot)#2'.",
    );
  });

  test('is read where the mapping says which', async () => {
    const { files } = await read(using('Volume (lot)#1', 'Nilai (juta)#1'), table);
    expect(linesOf(files[0]!.bytes)[1]).toContain(',1200000,1214400000,');
  });
});
