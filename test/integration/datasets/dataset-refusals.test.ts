import { beforeAll, describe, expect, test } from 'vitest';
import { anybody, operator } from '#support/services/dataset-client.ts';
import { idxDayFile, idxFile, idxLine, tarGzOf, weekdays } from '#support/markets/idx-archive.ts';
import { testMarketData } from '#support/services/test-market-data.ts';

const own = testMarketData();

describe('days that are no trading days', () => {
  test('a weekend is rejected, and its price does not affect the factors', async () => {
    const { bars, rejections, version } = await own.published([
      { date: '2021-05-21', close: 9_400 },
      { date: '2021-05-22', close: 10_000, previous: 9_400 },
      { date: '2021-05-24', close: 8_800, previous: 10_000 },
      { date: '2021-05-25', close: 8_800, previous: 8_800 },
      { date: '2021-05-30', close: 9_900, previous: 8_800 },
      { date: '2021-05-31', close: 8_900, previous: 8_800 },
    ]);
    expect(bars.map(({ date }) => date)).not.toContain('2021-05-22');
    expect(bars.map(({ factor }) => factor)).toEqual([1, 1, 1, 1]);
    expect(rejections).toEqual([
      { reason: 'not a trading day: a weekend', rows: 2, first_at: 'bars/AAAA.csv:3' },
    ]);
    expect((await own.datasets.listDatasets({}, operator)).datasets[0]).toMatchObject({
      version,
      rejected_rows: 2,
    });
  });

  test('a weekday with almost no trades is rejected, while a thin last day is kept as partial', async () => {
    const days = weekdays('2024-02-01', 30);
    const [quiet, last] = [days[15]!, days[29]!];
    const files: Record<string, string> = {};
    for (let i = 0; i < 30; i++) {
      const isIdle = (date: string) => (date === quiet || date === last) && i >= 5;
      const rows = days.map((date) => ({ date, close: 100, volume: isIdle(date) ? 0 : 1_000 }));
      files[`bars/T${String(i).padStart(3, '0')}.csv`] = idxFile(rows);
    }
    const { dataset, rejections } = await own.importFiles(files);
    expect(rejections).toMatchObject([{ reason: 'not a trading day: almost nothing traded', rows: 30 }]);
    expect(dataset).toMatchObject({ trading_days: 29, last_date: last });
    const snapshot = await own.market.getSnapshot({ ticker: 'T000', days: 20 }, anybody);
    expect(snapshot).toMatchObject({ is_partial: true, date: last });
  });

  test('a quiet newest day stays until enough later days show that it was quiet', async () => {
    const days = weekdays('2024-02-01', 16);
    const dayOf = (date: string, traded: number) =>
      idxDayFile(
        Array.from({ length: 30 }, (_, i) => {
          const ticker = `T${String(i).padStart(3, '0')}`;
          return { ticker, date, close: 100, volume: i < traded ? 1_000 : 0 };
        }),
      );
    const add = async (date: string, traded: number) =>
      own.importBytes(await tarGzOf({ 'day.csv': dayOf(date, traded) }), { header: { adds: true } });
    await own.importFiles(
      Object.fromEntries(days.slice(0, 12).map((date) => [`${date}.csv`, dayOf(date, 30)])),
    );
    const quiet = days[12]!;
    expect((await add(quiet, 4)).dataset).toMatchObject({ trading_days: 13, rejected_rows: 0 });
    for (const date of days.slice(13, 15)) await add(date, 30);
    const [before] = (await own.datasets.listDatasets({}, operator)).datasets;
    const { dataset, rejections } = await add(days[15]!, 30);
    expect(dataset).toMatchObject({ trading_days: 15, last_date: days[15], rejected_rows: 30 });
    expect(rejections).toEqual([
      { reason: 'not a trading day: almost nothing traded', rows: 30, first_at: `${before!.version}:0` },
    ]);
    const { rows } = await own.datasets.listRejectedRows({ version: '', limit: 1 }, operator);
    expect(rows).toMatchObject([{ text: `T000 ${quiet}` }]);
  });
});

describe('invalid rows', () => {
  const good = { date: '2024-03-04', close: 100 };
  const ordinary = { date: '2024-03-05', close: 100 };
  const cases: [reason: string, line: string][] = [
    ['wrong number of columns', `${idxLine(ordinary)},1`],
    ['wrong number of columns', '2024-03-05,100'],
    ['malformed date', idxLine({ ...ordinary, date: '05/03/2024' })],
    ['malformed date', idxLine({ ...ordinary, date: '2024-02-30' })],
    ['malformed date', idxLine({ ...ordinary, date: '2024-03-05T09:00:00' })],
    ['date before 1977 or in the future', idxLine({ ...ordinary, date: '2100-03-05' })],
    ['date before 1977 or in the future', idxLine({ ...ordinary, date: '1971-03-05' })],
    ['not a trading day: a weekend', idxLine({ ...ordinary, date: '2024-03-09' })],
    ['missing close', idxLine({ ...ordinary, close: '' })],
    ['missing close', idxLine({ ...ordinary, close: 0 })],
    ['missing close', idxLine({ ...ordinary, close: '0.00' })],
    ['malformed number', idxLine({ ...ordinary, volume: 'many' })],
    ['malformed number', idxLine({ ...ordinary, high: 'nan' })],
    ['malformed number', idxLine({ ...ordinary, bid: 'none' })],
    ['negative number', idxLine({ ...ordinary, bid: -1 })],
    ['absurd number', idxLine({ ...ordinary, bid: 1e9 })],
    ['negative number', idxLine({ ...ordinary, foreign_sell: -1 })],
    ['negative number', idxLine({ ...ordinary, volume: -1_000 })],
    ['absurd number', idxLine({ ...ordinary, listed_shares: 'inf' })],
    ['absurd number', idxLine({ ...ordinary, close: 1e9 })],
    ['foreign volume above volume', idxLine({ ...ordinary, foreign_buy: 1_001 })],
    ['value without volume', idxLine({ ...ordinary, volume: 0, value: 5 })],
    ['volume without value', idxLine({ ...ordinary, value: 0 })],
    ['high below low', idxLine({ ...ordinary, high: 99, low: 101 })],
    ['close outside low and high', idxLine({ ...ordinary, high: 120, low: 110 })],
    ['close outside low and high', idxLine({ ...ordinary, high: 99.5, low: 99.5 })],
    ['foreign volume above volume', idxLine({ ...ordinary, foreign_sell: 1_000.5 })],
    ['value does not fit volume and prices', idxLine({ ...ordinary, value: 100 * 10 })],
    ['second row of the same ticker and day', idxLine({ ...good, close: 200 })],
  ];

  // Lines 2 and 3 are good rows, and line 4 is empty.
  const FIRST_BAD_LINE = 5;
  let outcome: Awaited<ReturnType<typeof own.published>>;
  beforeAll(async () => {
    const lines = cases.map(([, line]) => line);
    outcome = await own.published([good, { date: '2024-03-06', close: 100 }, '', ...lines]);
  });

  test.each(cases.map(([reason, line], i) => ({ reason, line, at: FIRST_BAD_LINE + i })))(
    '$reason: rejected with file, line and text ($line)',
    async ({ reason, line, at }) => {
      const { rows } = await own.datasets.listRejectedRows(
        { version: outcome.version, limit: 100 },
        operator,
      );
      expect(rows.filter((row) => row.line === at)).toEqual([
        { file: 'bars/AAAA.csv', line: at, reason, text: line },
      ]);
    },
  );

  test('leave the valid rows unchanged', () => {
    expect(outcome.dataset.rejected_rows).toBe(cases.length);
    expect(outcome.bars.map(({ date, close }) => [date, close])).toEqual([
      ['2024-03-04', 100],
      ['2024-03-06', 100],
    ]);
  });

  test('are counted by reason, most frequent first, and listed in file order up to the limit', async () => {
    const bad = idxLine({ ...ordinary, close: '' });
    const { dataset, rejections } = await own.importFiles({
      'bars/BBBB.csv': idxFile([good, bad, 'x'.repeat(2_000)]),
      'bars/AAAA.csv': idxFile([good, bad]),
    });
    expect(rejections).toEqual([
      { reason: 'missing close', rows: 2, first_at: 'bars/AAAA.csv:3' },
      { reason: 'wrong number of columns', rows: 1, first_at: 'bars/BBBB.csv:4' },
    ]);
    expect(dataset!.rejected_rows).toBe(3);
    const { rows } = await own.datasets.listRejectedRows({ version: '', limit: 1_000 }, operator);
    expect(rows.map(({ file, line }) => `${file}:${line}`)).toEqual([
      'bars/AAAA.csv:3',
      'bars/BBBB.csv:3',
      'bars/BBBB.csv:4',
    ]);
    expect(rows[2]!.text).toBe('x'.repeat(500));
    expect((await own.datasets.listRejectedRows({ version: '', limit: 2 }, operator)).rows).toHaveLength(2);
    for (const limit of [0, 1_001]) {
      await expect(own.datasets.listRejectedRows({ version: '', limit }, operator)).rejects.toMatchObject({
        code: 'invalid_request',
        detail: [{ loc: ['limit'] }],
      });
    }
  });
});

describe('reads', () => {
  beforeAll(() => own.importFiles({ 'bars/AAAA.csv': idxFile([{ date: '2024-03-04', close: 100 }]) }));

  test('refuse missing, empty and too many tickers, counting duplicates once', async () => {
    const quotes = (tickers: string[]) => own.market.getQuotes({ tickers }, anybody);
    const codes = Array.from({ length: 51 }, (_, i) => `T${i}`);
    await expect(quotes([])).rejects.toMatchObject({
      code: 'invalid_request',
      detail: [{ loc: ['tickers'] }],
    });
    await expect(quotes(['A', ' '])).rejects.toMatchObject({
      code: 'invalid_request',
      detail: [{ loc: ['tickers', 1] }],
    });
    await expect(quotes(codes)).rejects.toMatchObject({ code: 'too_many_tickers' });
    expect((await quotes([...codes.slice(1), 't1', 'T2'])).quotes).toEqual({});
  });

  test('refuse out-of-range days and unknown tickers', async () => {
    const [version] = (await own.datasets.listDatasets({}, operator)).datasets;
    const [row] = await own.select<{ ticker: string }>(
      `SELECT ticker FROM market.daily_bar WHERE dataset_version = {version:String} LIMIT 1`,
      { version: version!.version },
    );
    const snapshot = (ticker: string, days: number) => own.market.getSnapshot({ ticker, days }, anybody);
    for (const days of [-1, 0, 251]) {
      await expect(snapshot(row!.ticker, days)).rejects.toMatchObject({
        code: 'invalid_request',
        detail: [{ loc: ['days'], input: days }],
      });
    }
    expect((await snapshot(row!.ticker, 250)).ohlcv.length).toBeGreaterThan(0);
    await expect(snapshot('ZZZZ', 20)).rejects.toMatchObject({ code: 'not_found' });
  });
});
