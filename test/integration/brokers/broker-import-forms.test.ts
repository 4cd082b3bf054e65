import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ImportHeader } from '#proto/saring/market_data/v1/datasets.ts';
import { brokerFile, storedBrokerRows } from '#support/markets/broker-rows.ts';
import { idxFile, tarGzOf } from '#support/markets/idx-archive.ts';
import { ownDatasets } from '#support/services/test-datasets.ts';

const own = ownDatasets();
const BARS = {
  'bars/AAAA.csv': idxFile([
    { date: '2024-03-04', close: 100, volume: 1_000, non_regular_volume: 700, non_regular_value: 63_000 },
    { date: '2024-03-05', close: 100, volume: 1_000 },
  ]),
};
const KEYS = 'ticker,date,market,broker';

beforeAll(() => own.importFiles(BARS));

/** Imports a file of broker rows together with the bars. Returns the stored rows. */
async function stored(name: string, content: string | Buffer, header: Partial<ImportHeader> = {}) {
  const { dataset, rejections } = await own.importBytes(await tarGzOf({ ...BARS, [name]: content }), {
    header,
  });
  expect(rejections).toEqual([]);
  return storedBrokerRows(own, dataset!);
}

const AK_BOUGHT = 'AAAA 2024-03-04 REG AK gross +200@20000 -0@0';

describe('broker rows can be imported', () => {
  test('as CSV, gzipped or not, with quotes, spaces, either line ending and extra columns', async () => {
    const plain = brokerFile([{ buy_shares: 200, buy_value: 20_000 }]);
    expect(await stored('rows.csv', plain)).toEqual([AK_BOUGHT]);
    expect(await stored('rows.csv.gz', gzipSync(plain.replaceAll('\n', '\r\n')))).toEqual([AK_BOUGHT]);
    const quoted = [
      'name,ticker,date,market,broker,buy_shares,buy_value,sell_shares,sell_value',
      '"Alpha, ""the"" Tbk.", "AAAA" ,2024-03-04, RG,AK, 200 ,"20000",,',
    ].join('\n');
    expect(await stored('rows.csv', `\uFEFF${quoted}`)).toEqual([AK_BOUGHT]);
  });

  test('as JSON: an array in any layout, or one object per line, with numbers or numeric strings', async () => {
    const row = {
      ticker: 'AAAA',
      date: 20240304,
      market: 'RG',
      type: ['Lokal', '}'],
      broker: 'AK',
      buy_shares: '2e+02',
      buy_value: 20_000.0,
      sell_shares: null,
      sell_value: 0,
    };
    const other = { ...row, broker: 'ZP', date: '2024-03-05' };
    const both = [AK_BOUGHT, 'AAAA 2024-03-05 REG ZP gross +200@20000 -0@0'];
    expect(await stored('rows.json', JSON.stringify([row, other]))).toEqual(both);
    expect(await stored('rows.json.gz', gzipSync(JSON.stringify([row, other], null, 2)))).toEqual(both);
    const lines = `${JSON.stringify(row)}\n${JSON.stringify(other)}\n`;
    for (const name of ['rows.json', 'rows.ndjson', 'rows.jsonl']) {
      expect(await stored(name, lines)).toEqual(both);
    }
  });

  test.each([
    ['rows.csv', brokerFile([{ buy_shares: 200, buy_value: 20_000 }])],
    ['rows.csv.gz', gzipSync(brokerFile([{ buy_shares: 200, buy_value: 20_000 }]))],
  ])('without bars, as %s, and are added to the newest bars', async (source, content) => {
    const bars = await own.importFiles(BARS);
    const { dataset } = await own.importBytes(Buffer.from(content), { source });
    expect(dataset).toMatchObject({ bars: 2, broker_data: 'real', broker_rows: 1 });
    expect(dataset!.version).not.toBe(bars.dataset!.version);
    expect(await storedBrokerRows(own, dataset!)).toEqual([AK_BOUGHT]);
  });

  test('with bars in one archive, where unrelated files are ignored', async () => {
    const long = `{"text":"${'x'.repeat(300_000)}"}`;
    const rows = brokerFile([{ buy_shares: 200, buy_value: 20_000 }]);
    const { dataset } = await own.importFiles({
      'a.json': long,
      'b.json': '[1, 2]',
      'c.json': `[${long}]`,
      'd.json': '',
      'brokers.csv': rows,
      ...BARS,
      'more/today.csv': rows.replaceAll('2024-03-04', '2024-03-05'),
    });
    expect(dataset).toMatchObject({ bars: 2, broker_data: 'real', broker_rows: 2 });
  });

  test('in lots, as declared by a column name or the import', async () => {
    const rows = 'AAAA,2024-03-04,RG,AK,2,20000,0,0';
    const lots = `${KEYS},buy_lots,buy_value,sell_lots,sell_value\n${rows}`;
    expect(await stored('rows.csv', lots)).toEqual([AK_BOUGHT]);
    const open = lots.replace('buy_lots', 'buy_volume').replace('sell_lots', 'sell_volume');
    expect(await stored('rows.csv', open, { broker_unit: 'lots' })).toEqual([AK_BOUGHT]);
  });

  test('with sells as negative numbers, and numbers in exponent or decimal form', async () => {
    const row = { buy_shares: '1e2', buy_value: '9.95e+03', sell_shares: -200.0, sell_value: '-2.0000e4' };
    expect(await stored('rows.csv', brokerFile([row]))).toEqual([
      'AAAA 2024-03-04 REG AK gross +100@9950 -200@20000',
    ]);
  });

  test('with dates in all common vendor formats', async () => {
    const dates = [
      '20240304',
      '2024-03-04T00:00:00',
      '2024-03-04 16:15:00+07:00',
      '2024-03-04T00:00:00.000Z',
    ];
    const rows = dates.map((date, i) => ({ date, broker: `A${i}`, buy_shares: 200, buy_value: 20_000 }));
    expect(await stored('rows.csv', brokerFile(rows))).toEqual(
      rows.map(({ broker }) => AK_BOUGHT.replace('AK', broker)),
    );
  });

  test('with codes and markets in any case; cash trades count as negotiated', async () => {
    const lines = [
      { market: 'reg', ticker: 'aaaa', broker: 'ak', buy_shares: 200, buy_value: 20_000 },
      { market: 'ng', buy_shares: 50, buy_value: 4_500 },
      { market: 'TN', buy_shares: 50, buy_value: 4_600, sell_shares: 100, sell_value: 9_100 },
      { market: 'nego', broker: 'ZP', sell_shares: 7, sell_value: 600 },
    ];
    expect(await stored('rows.csv', brokerFile(lines))).toEqual([
      'AAAA 2024-03-04 NEGO AK gross +100@9100 -100@9100',
      'AAAA 2024-03-04 NEGO ZP gross +0@0 -7@600',
      AK_BOUGHT,
    ]);
  });
});

describe('net broker rows', () => {
  const net = (more: object) => ({ mode: 'net', ...more });
  const NET = [
    'AAAA 2024-03-04 REG AK net +200@20000 -0@0',
    'AAAA 2024-03-04 REG YP net +100@0 -0@300',
    'AAAA 2024-03-04 REG ZP net +0@0 -300@19700',
  ];

  test('are stored as net, on the side given by their sign, shares and value independently', async () => {
    const lines = [
      net({ buy_shares: 200, buy_value: 20_000 }),
      net({ broker: 'ZP', sell_shares: -300, sell_value: -19_700 }),
      net({ broker: 'YP', buy_shares: 100, buy_value: -300 }),
    ];
    expect(await stored('rows.csv', brokerFile(lines))).toEqual(NET);
    const said = brokerFile(lines.map((line) => ({ ...line, mode: '' })));
    expect(await stored('rows.csv', said, { broker_mode: 'net' })).toEqual(NET);
  });

  test('may come in a single signed column', async () => {
    const rows = ['AK,2,20000', 'ZP,-3,-19700', 'YP,1,-300'].map((row) => `AAAA,2024-03-04,RG,${row}`);
    expect(await stored('rows.csv', [`${KEYS},net_lots,net_value`, ...rows].join('\n'))).toEqual(NET);
    const objects = rows.map((row) => {
      const [ticker, date, market, broker, lots, net_value] = row.split(',');
      return { ticker, date, market, broker, net_shares: `${lots}e2`, net_value };
    });
    expect(await stored('rows.json', JSON.stringify(objects))).toEqual(NET);
  });
});
