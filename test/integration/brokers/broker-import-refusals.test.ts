import { beforeAll, describe, expect, test } from 'vitest';
import { brokerFile, brokerLine, storedBrokerRows, type BrokerLine } from '#support/markets/broker-rows.ts';
import { idxFile } from '#support/markets/idx-archive.ts';
import { ownDatasets } from '#support/services/test-datasets.ts';

const own = ownDatasets();
const DAY = { low: 95, high: 105, close: 100 };
const BARS = {
  'bars/AAAA.csv': idxFile([
    { date: '2024-03-04', ...DAY },
    { date: '2024-03-06', ...DAY },
  ]),
  'bars/BBBB.csv': idxFile([{ date: '2024-03-05', ...DAY }]),
};
const bought = (more: BrokerLine) => brokerLine({ buy_shares: 100, buy_value: 10_000, ...more });

describe('invalid broker rows', () => {
  const cases: [reason: string, line: string][] = [
    ['wrong number of columns', `${bought({})},1`],
    ['wrong number of columns', 'AAAA,"2024,03",RG'],
    ['malformed date', bought({ date: '04/03/2024' })],
    ['malformed date', bought({ date: '20240230' })],
    ['malformed date', bought({ date: '2024-03-04T17:00:00Z' })],
    ['malformed date', bought({ date: '' })],
    ['date before 1977 or in the future', bought({ date: '2100-03-04' })],
    ['date before 1977 or in the future', bought({ date: '1971-03-04' })],
    ['not a trading day: a weekend', bought({ date: '2024-03-09' })],
    ['malformed ticker', bought({ ticker: '' })],
    ['malformed ticker', bought({ ticker: 'A/B' })],
    ['malformed broker code', bought({ broker: '' })],
    ['malformed broker code', bought({ broker: 'A?' })],
    ['unknown market', bought({ market: 'ALL?', mode: '?' })],
    ['unknown mode', bought({ mode: '?' })],
    ['malformed number', bought({ buy_value: 'many' })],
    ['malformed number', bought({ sell_shares: 'nan' })],
    ['negative number', bought({ buy_shares: -100 })],
    ['negative number', bought({ sell_shares: -100, sell_value: 10_000 })],
    ['absurd number', bought({ buy_shares: 'inf' })],
    ['absurd number', bought({ buy_value: 1e17 })],
    ['neither bought nor sold', brokerLine({})],
    ['shares without value', bought({ sell_shares: 100 })],
    ['value without shares', bought({ sell_value: 10_000 })],
    ['day outside the days of the dataset', bought({ date: '2024-03-01' })],
    ['day outside the days of the dataset', bought({ date: '2024-03-07' })],
    ['unknown ticker: the dataset has no bar of it', bought({ ticker: 'ZZZZ' })],
    ['the ticker has no bar of that day', bought({ date: '2024-03-05' })],
    ['average price outside low and high of the day', bought({ buy_value: 11_000 })],
    ['average price outside low and high of the day', bought({ sell_shares: 100, sell_value: 9_000 })],
    ['average price a hundred times the day’s: these counts may be lots', bought({ buy_shares: 1 })],
    ['average price a hundredth of the day’s: these counts may be shares', bought({ buy_value: 100 })],
    ['second row of the same broker, stock, day and market', bought({ buy_value: 9_900 })],
    ['net row of a stock and day that has gross rows', bought({ mode: 'net', broker: 'CC' })],
  ];

  // Lines 2 to 4 are good rows, and line 5 is empty.
  const FIRST_BAD_LINE = 6;
  let outcome: Awaited<ReturnType<typeof own.importFiles>>;
  let refused: { file: string; line: number; reason: string; text: string }[];
  beforeAll(async () => {
    const good = [
      bought({}),
      bought({ broker: 'YP', buy_value: 9_250 }),
      bought({ market: 'NG', buy_value: 700 }),
    ];
    const lines = [...good, '', ...cases.map(([, line]) => line)];
    outcome = await own.importFiles({ ...BARS, 'brokers/rows.csv': brokerFile(lines) });
    refused = await own.refusedRows(100);
  });

  test.each(cases.map(([reason, line], i) => ({ reason, line, at: FIRST_BAD_LINE + i })))(
    '$reason: rejected with file, line and text ($line)',
    ({ reason, line, at }) => {
      expect(refused.filter((row) => row.line === at)).toEqual([
        { file: 'brokers/rows.csv', line: at, reason, text: line },
      ]);
    },
  );

  test('are counted, and leave the valid rows unchanged', async () => {
    expect(outcome.dataset).toMatchObject({ rejected_rows: cases.length, broker_rows: 3 });
    expect(outcome.rejections.reduce((sum, { rows }) => sum + rows, 0)).toBe(cases.length);
    expect(await storedBrokerRows(own, outcome.dataset!)).toEqual([
      'AAAA 2024-03-04 NEGO AK gross +100@700 -0@0',
      'AAAA 2024-03-04 REG AK gross +100@10000 -0@0',
      'AAAA 2024-03-04 REG YP gross +100@9250 -0@0',
    ]);
  });
});

test('a weekday without any bars is reported, a day without a bar of the ticker is not', async () => {
  const { rejections } = await own.importFiles({
    'bars/AAAA.csv': idxFile([
      { date: '2024-03-04', ...DAY },
      { date: '2024-03-06', ...DAY },
    ]),
    'rows.csv': brokerFile([bought({}), bought({ date: '2024-03-05' })]),
  });
  expect(rejections).toEqual([
    { reason: 'not a trading day of the dataset', rows: 1, first_at: 'rows.csv:3' },
  ]);
});

test('JSON objects are rejected by number, with their text', async () => {
  const row = {
    ticker: 'AAAA',
    date: '2024-03-04',
    market: 'RG',
    broker: 'AK',
    net_shares: 100,
    net_value: 1,
  };
  const objects = [row, { ...row, broker: 'YP', market: 'XX' }, { ...row, date: null }];
  await own.importFiles({ ...BARS, 'rows.json': JSON.stringify(objects) });
  const rows = await own.refusedRows(10);
  expect(rows).toEqual([
    { file: 'rows.json', line: 2, reason: 'unknown market', text: JSON.stringify(objects[1]) },
    { file: 'rows.json', line: 3, reason: 'malformed date', text: JSON.stringify(objects[2]) },
  ]);
  const gross = JSON.stringify({ ...row, broker: 'YP', mode: 'gross' });
  const lines = [JSON.stringify({ ...row, mode: 'net' }), '{"ticker":', '{}', gross].join('\n');
  await own.importFiles({ ...BARS, 'rows.ndjson': lines });
  const ofLines = await own.refusedRows(10);
  expect(ofLines.map(({ line, reason }) => [line, reason])).toEqual([
    [2, 'malformed JSON'],
    [3, 'malformed date'],
    [4, 'unknown mode'],
  ]);
});

test('an import without any usable row reports the first one and publishes nothing', async () => {
  await own.importFiles(BARS);
  const before = await own.state();
  const rows = brokerFile([bought({ market: '?' }), bought({ date: 'x' })]);
  const message =
    'None of the 2 broker rows can be used; the first is refused at rows.csv:2: unknown market.';
  for (const upload of [
    () => own.importFiles({ ...BARS, 'rows.csv': rows }),
    () => own.importBytes(Buffer.from(rows), { source: 'rows.csv' }),
  ]) {
    await expect(upload()).rejects.toMatchObject({ code: 'import_rejected', message });
    expect(await own.state()).toEqual(before);
  }
});
