import { beforeAll, describe, expect, test } from 'vitest';
import { readCalendarFile } from '#quant/exchange/calendar/calendar-file.ts';
import { anybody, operator } from '#support/services/dataset-client.ts';
import { idxDayFile, idxFile, idxLine, weekdays } from '#support/markets/idx-archive.ts';
import { TestImporter } from '#support/services/test-importer.ts';
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
      const rows = days.map((date, day) => ({ date, close: 100, volume: isIdle(date) ? 0 : 1_000 + day }));
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
          return { ticker, date, close: 100, volume: i < traded ? 1_000 + days.indexOf(date) : 0 };
        }),
      );
    const add = (date: string, traded: number) => own.addFiles({ 'day.csv': dayOf(date, traded) });
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

describe('days that a source gives twice, or under a wrong date', () => {
  const stocks = Array.from({ length: 30 }, (_, i) => `T${String(i).padStart(3, '0')}`);
  const days = ['2024-06-12', '2024-06-13', '2024-06-14', '2024-06-19'];
  const closes = [900, 942, 1_000, 1_010];
  /** All stocks on one of the days, under another date if it says so. The 17th and 18th are holidays. */
  const dayOf = (index: number, date = days[index]!, { raise = 0, of = stocks } = {}) =>
    idxDayFile(
      of.map((ticker) => {
        const close = closes[index]! + raise;
        const volume = 1_000 + 100 * index + stocks.indexOf(ticker);
        return { ticker, date, previous: closes[index - 1] ?? 900, close, volume };
      }),
    );
  const files = (of = [0, 1, 2, 3]) => Object.fromEntries(of.map((i) => [`${days[i]}.csv`, dayOf(i)]));
  const add = (file: string, span: { restates_from?: string; restates_to?: string } = {}) =>
    own.addFiles({ 'day.csv': file }, span);
  const closed = 'not a trading day: the exchange was closed';
  const restated = 'the day is there already, and this upload may not restate it';

  test('a day copied to a holiday is refused, and nothing else changes, unless the calendar opens it', async () => {
    const clean = (await own.importFiles(files())).dataset!;
    const copied = { ...files(), '2024-06-17.csv': dayOf(2, '2024-06-17') };
    const { dataset, rejections } = await own.importFiles(copied);
    expect(rejections).toEqual([{ reason: closed, rows: 30, first_at: '2024-06-17.csv:2' }]);
    expect(dataset).toMatchObject({ trading_days: 4, bars: 120, rejected_rows: 30 });
    expect(await own.barsOf(dataset!)).toEqual(await own.barsOf(clean));
    const operators = new TestImporter();
    await operators.startOn(own.clickhouse, readCalendarFile('{ "openings": ["2024-06-17"] }'));
    const opened = dayOf(2, '2024-06-17', { raise: 1 });
    const { rejections: none, dataset: five } = await operators.import(
      { ...files(), '2024-06-17.csv': opened },
      { adds: false },
    );
    expect([none, five!.trading_days]).toEqual([[], 5]);
    await operators.stop();
  });

  test('a day that repeats another one is refused, in one upload, onto the base, and where a tenth of it was mended', async () => {
    const reason = 'repeats an earlier day';
    const clean = (await own.importFiles(files([0, 1, 2]))).dataset!;
    for (const of of [0, 2]) {
      const { dataset, rejections } = await own.importFiles({
        ...files([0, 1, 2]),
        'day.csv': dayOf(of, days[3]),
      });
      expect(rejections).toEqual([{ reason, rows: 30, first_at: 'day.csv:2' }]);
      expect(await own.barsOf(dataset!)).toEqual(await own.barsOf(clean));
    }
    const mended =
      dayOf(2, days[3], { of: stocks.slice(3) }) +
      dayOf(3, days[3], { of: stocks.slice(0, 3) })
        .split('\n')
        .slice(1)
        .join('\n');
    await expect(add(mended)).rejects.toMatchObject({
      message: `None of the 30 rows can be used; the first is refused at day.csv:2: ${reason}.`,
    });
    await own.importFiles(files([0, 2]));
    await expect(add(dayOf(2, days[1]))).rejects.toMatchObject({
      message: 'None of the 30 rows can be used; the first is refused at day.csv:2: repeats a later day.',
    });
    expect((await add(dayOf(1))).dataset).toMatchObject({ trading_days: 3 });
  });

  test('a day that is there is changed only in the span that the upload may restate, and each restated day is a finding', async () => {
    const base = (await own.importFiles(files())).dataset!;
    const wrong = dayOf(1, days[1], { raise: 5, of: [...stocks, 'NEWS'] });
    await expect(add(wrong)).rejects.toMatchObject({
      message: `None of the 31 rows can be used; the first is refused at day.csv:2: ${restated}. Declare which days it may restate: --restate FROM..TO.`,
    });
    const one = dayOf(1, days[1], { raise: 5, of: stocks.slice(0, 1) });
    const others = dayOf(1, days[1], { of: [...stocks.slice(1), 'NEWS'] })
      .split('\n')
      .slice(1)
      .join('\n');
    const partly = await add(one + others);
    expect(partly.rejections).toEqual([{ reason: restated, rows: 1, first_at: 'day.csv:2' }]);
    expect((await own.barsOf(partly.dataset!)).slice(1)).toEqual(await own.barsOf(base));
    await own.importFiles(files());
    const { findings, rejections, dataset } = await add(wrong, {
      restates_from: days[1]!,
      restates_to: days[2]!,
    });
    expect([rejections, dataset!.bars]).toEqual([[], 121]);
    // Of each stock high, low, close and value.
    expect(findings).toEqual([
      { finding: `values restated on ${days[1]}`, count: 120, first_at: `T000 ${days[1]}` },
    ]);
    await expect(add(dayOf(0, '1999-06-14', { raise: 1 }))).rejects.toMatchObject({
      message: expect.stringContaining(
        ': before the first day of the dataset, and this upload may not restate it. Declare',
      ) as string,
    });
    expect(
      (await add(dayOf(0, '1999-06-14', { raise: 1 }), { restates_from: '1999-06-14' })).dataset,
    ).toMatchObject({
      first_date: '1999-06-14',
    });
    await expect(add(wrong, { restates_from: days[1]!, restates_to: days[0]! })).rejects.toMatchObject({
      code: 'invalid_request',
      detail: [{ loc: ['header', 'restates_to'] }],
    });
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
    ['not a trading day: the exchange was closed', idxLine({ ...ordinary, date: '2024-03-11' })],
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
  });
});
