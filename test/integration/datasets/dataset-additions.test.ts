import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { ReadArrow } from '#market-reader/arrow-batch.ts';
import { loadPanel } from '#market-reader/read-panel.ts';
import { FieldServiceService } from '#proto/saring/market_data/v1/fields.ts';
import { IDX_CALENDAR } from '#quant/exchange/calendar/trading-calendar.ts';
import { readArrow } from '#platform/clickhouse/clickhouse-arrow.ts';
import { clientOf, identityOf } from '#support/processes/service-process.ts';
import { anybody, operator, outcomeOf } from '#support/services/dataset-client.ts';
import { LISTING_HEADER, idxDayFile, idxFile, tarGzOf, weekdays } from '#support/markets/idx-archive.ts';
import { testMarketData } from '#support/services/test-market-data.ts';

const own = testMarketData();
const [monday, tuesday, wednesday, thursday] = weekdays('2024-03-04', 4) as [string, string, string, string];
const SATURDAY = '2024-03-09';

function dayFile(date: string, closes: Record<string, number>, column?: string, place?: number): string {
  const rows = Object.entries(closes).map(([ticker, close]) => ({ ticker, date, close }));
  return idxDayFile(rows, column, place);
}

const barsOf = (version: string) =>
  own.select<{ ticker: string; date: string; close: number }>(
    `SELECT ticker, date, close FROM market.daily_bar WHERE dataset_version = {version:String}
     ORDER BY ticker, date`,
    { version },
  );

describe('adding without a dataset', () => {
  test('is refused with advice', async () => {
    await expect(
      own.addFiles({ 'bars/AAAA.csv': idxFile([{ date: monday, close: 1 }]) }),
    ).rejects.toMatchObject({
      code: 'import_rejected',
      message: 'There is no served dataset to add the upload to. Import a whole one first.',
    });
    const listing = { 'listing/all.csv': `${LISTING_HEADER}\nAAAA,Alpha,1999-01-04,1.0,Utama\n` };
    await expect(own.importFiles(listing)).rejects.toMatchObject({
      code: 'import_rejected',
      message: 'The upload has no bars, and there is no served dataset to add it to.',
    });
  });
});

describe('adding to the newest version', () => {
  async function whole() {
    const files = {
      'bars/AAAA.csv': idxFile([
        { date: monday, close: 100 },
        { date: tuesday, close: 110, previous: 100 },
      ]),
      'bars/BBBB.csv': idxFile([{ date: monday, close: 50 }, 'broken']),
      'listing/all.csv': `${LISTING_HEADER}\nAAAA,Alpha,1999-01-04,1.0,Utama\nBBBB,Beta,1999-01-05,1.0,Utama\n`,
      'listing/Sectors/Energy.csv': `${LISTING_HEADER}\nAAAA,Alpha,1999-01-04,1.0,Utama\n`,
    };
    return (await own.importFiles(files)).dataset!;
  }

  test('makes a new version from a day of all tickers in one file and serves it at once', async () => {
    const base = await whole();
    const day = { aaaa: 120, BBBB: 60, CCCC: 7 };
    const { dataset, unchanged, rejections } = await own.addFiles({
      '2024-03-06.csv': dayFile(wednesday, day),
    });
    expect(dataset).toMatchObject({
      version: 'real-20240306-1',
      source: `test.tar.gz, added to ${base.version}`,
      first_date: monday,
      last_date: wednesday,
      trading_days: 3,
      tickers: 3,
      bars: 6,
      rejected_rows: 0,
    });
    expect([unchanged, rejections]).toEqual([false, []]);
    expect(await barsOf(dataset!.version)).toEqual([
      { ticker: 'AAAA', date: monday, close: 100 },
      { ticker: 'AAAA', date: tuesday, close: 110 },
      { ticker: 'AAAA', date: wednesday, close: 120 },
      { ticker: 'BBBB', date: monday, close: 50 },
      { ticker: 'BBBB', date: wednesday, close: 60 },
      { ticker: 'CCCC', date: wednesday, close: 7 },
    ]);
    const response = await own.market.getQuotes({ tickers: ['CCCC'] }, anybody);
    expect(response.dataset_version).toBe(dataset!.version);
    expect((await barsOf(base.version)).length).toBe(3);
  });

  test.each([
    ['ticker', 0],
    ['Stock', 25],
    ['CODE', 12],
  ])('accepts the column %s at place %i', async (column, place) => {
    await whole();
    const { dataset } = await own.addFiles({
      'day.csv': dayFile(thursday, { AAAA: place + 100 }, column, place),
    });
    expect(dataset).toMatchObject({ last_date: thursday, bars: 4 });
  });

  test('rejects rows without a valid ticker', async () => {
    await whole();
    const { rejections } = await own.addFiles({
      'day.csv': dayFile(thursday, { AAAA: 99, '': 98, 'A B': 97 }),
    });
    expect(rejections).toEqual([{ reason: 'malformed ticker', rows: 2, first_at: 'day.csv:3' }]);
  });

  test('replaces the rows of a corrected day and adjusts the following ones', async () => {
    await whole();
    const { dataset } = await own.addFiles(
      { 'bars/AAAA.csv': idxFile([{ date: monday, close: 200 }]) },
      { restates_from: monday },
    );
    const bars = await own.select(
      `SELECT date, close, factor FROM market.daily_bar
       WHERE dataset_version = {version:String} AND ticker = 'AAAA' ORDER BY date`,
      { version: dataset!.version },
    );
    expect(bars).toEqual([
      { date: monday, close: 200, factor: 1 },
      { date: tuesday, close: 110, factor: 0.5 },
    ]);
    expect(dataset).toMatchObject({ bars: 3, trading_days: 2 });
  });

  test('gives the same market whether it is read whole or onto any other version in memory', async () => {
    const base = (await whole()).version;
    const split = { ticker: 'AAAA', date: wednesday, close: 55, previous: 55 };
    const added = (await own.addFiles({ 'day.csv': idxDayFile([split]) })).dataset!.version;
    const correction = { 'day.csv': dayFile(tuesday, { AAAA: 111, CCCC: 7 }) };
    const corrected = (await own.addFiles(correction, { restates_from: tuesday })).dataset!.version;
    const read: ReadArrow = (query, params) => readArrow(own.sql, query, params);
    for (const version of [base, added, corrected]) {
      const panel = await loadPanel(read, version);
      for (const held of [base, added, corrected]) {
        const extended = await loadPanel(read, version, {
          version: held,
          panel: await loadPanel(read, held),
        });
        expect(extended.columns, `${version} onto ${held}`).toEqual(panel.columns);
      }
    }
  });

  test('says of each bar which source said what, and when it was retrieved', async () => {
    await whole();
    const retrieved_at = new Date('2026-11-19T12:00:00Z');
    const vendor = { source: 'vendor: 2024-03-06', source_name: 'vendor', rank: 1, retrieved_at };
    const prices = { previous: '', frequency: '', listed_shares: '', foreign_buy: '', non_regular_value: '' };
    const days = [tuesday, wednesday].map((date) => ({ ticker: 'AAAA', date, close: 120, ...prices }));
    await own.addFiles({ 'day.csv': idxDayFile(days) }, vendor);
    const ask = { ticker: 'AAAA', interval: 'day', adjusted: 'true', limit: 10 } as const;
    const { origins, bars } = await own.market.listBars({ ...ask, sources: true }, anybody);
    expect(bars.map(({ trading }) => trading!.close)).toEqual([100, 110, 120]);
    const said = origins.map(({ first_date, last_date, said: values }) => [
      ...[first_date, last_date],
      values.map((one) => `${one.values} of ${one.source}`),
    ]);
    const groups = ['foreign', 'frequency', 'listed_shares', 'negotiated', 'previous', 'prices'];
    expect(said).toEqual([
      [monday, tuesday, groups.map((group) => `${group} of import`)],
      [wednesday, wednesday, ['prices of vendor']],
    ]);
    expect(origins[1]!.said[0]).toMatchObject({ retrieved_at, upload: 'vendor: 2024-03-06' });
    expect((await own.market.listBars(ask, anybody)).origins).toEqual([]);
  });

  test('replaces listing data field by field', async () => {
    await whole();
    const { dataset } = await own.importFiles({
      'listing/all.csv': `${LISTING_HEADER}\nAAAA,Alpha Renamed,,,Pengembangan\n`,
    });
    const listing = await own.select(
      `SELECT ticker, name, sector, board, listed_on FROM market.listing
       WHERE dataset_version = {version:String} ORDER BY ticker`,
      { version: dataset!.version },
    );
    expect(listing).toEqual([
      {
        ticker: 'AAAA',
        name: 'Alpha Renamed',
        sector: 'Energy',
        board: 'Pengembangan',
        listed_on: '1999-01-04',
      },
      { ticker: 'BBBB', name: 'Beta', sector: '', board: 'Utama', listed_on: '1999-01-05' },
    ]);
  });

  test('refuses a line of a listing whose day does not exist, and keeps what the base says', async () => {
    await whole();
    const lines = ['AAAA,Alfa,2013-13-05,,Utama', 'BBBB,Beta,2024-02-30,,Pengembangan', 'CCCC,Gamma,,,Utama'];
    const files = { 'listing/all.csv': [LISTING_HEADER, ...lines, ''].join('\n') };
    const { dataset, rejections } = await own.importFiles(files);
    expect(rejections).toEqual([
      { reason: 'malformed listing date', rows: 2, first_at: 'listing/all.csv:2' },
    ]);
    const { version, rejected_rows } = dataset!;
    expect(rejected_rows).toBe(2);
    const { rows } = await own.datasets.listRejectedRows({ version, limit: 10 }, operator);
    expect(rows.map(({ file, line, text }) => [`${file}:${line}`, text])).toEqual([
      ['listing/all.csv:2', lines[0]],
      ['listing/all.csv:3', lines[1]],
    ]);
    const listing = await own.select(
      `SELECT ticker, name, board, listed_on FROM market.listing
       WHERE dataset_version = {version:String} ORDER BY ticker`,
      { version },
    );
    expect(listing).toEqual([
      { ticker: 'AAAA', name: 'Alpha', board: 'Utama', listed_on: '1999-01-04' },
      { ticker: 'BBBB', name: 'Beta', board: 'Utama', listed_on: '1999-01-05' },
      { ticker: 'CCCC', name: 'Gamma', board: 'Utama', listed_on: null },
    ]);
    const again = await own.importFiles({
      ...files,
      'listing/more.csv': `${LISTING_HEADER}\nDDDD,Delta,x,,\n`,
    });
    expect(again).toMatchObject({ unchanged: true, unstored_rows: { length: 3 } });
  });

  test('keeps the rejected rows of the upload and of the base apart', async () => {
    const base = await whole();
    const good = { date: wednesday, close: 120 };
    const { dataset } = await own.addFiles({ 'bars/AAAA.csv': idxFile([good, 'also broken']) });
    const refused = async (version: string) =>
      (await own.datasets.listRejectedRows({ version, limit: 10 }, operator)).rows.map(({ text }) => text);
    expect(await refused(dataset!.version)).toEqual(['also broken']);
    expect(await refused(base.version)).toEqual(['broken']);
  });

  test('reports a repeated file, or one without new data, as unchanged', async () => {
    await whole();
    const files = { 'day.csv': dayFile(wednesday, { AAAA: 120, BBBB: 60 }) };
    const { dataset } = await own.addFiles(files);
    const before = await own.state();
    expect(await own.addFiles(files)).toMatchObject({ dataset, unchanged: true });
    expect(await own.addFiles({ 'other.csv': dayFile(wednesday, { BBBB: 60, 'B B': 61 }) })).toMatchObject({
      dataset,
      unchanged: true,
      rejections: [{ reason: 'malformed ticker', rows: 1, first_at: 'other.csv:3' }],
      unstored_rows: [{ file: 'other.csv', line: 3, reason: 'malformed ticker' }],
    });
    expect(await own.state()).toEqual(before);
    const restating = { restates_from: wednesday };
    const corrected = await own.addFiles(
      { 'day.csv': dayFile(wednesday, { AAAA: 120, BBBB: 61 }) },
      restating,
    );
    expect(corrected).toMatchObject({ unchanged: false });
    const restored = await own.addFiles(files, restating);
    expect(restored).toMatchObject({ unchanged: false });
    expect(await barsOf(restored.dataset!.version)).toEqual(await barsOf(dataset!.version));
  });

  test('skips the transfer when the announced hash is already stored', async () => {
    await whole();
    const noise = randomBytes(4_000_000).toString('hex');
    const bytes = await tarGzOf({ 'day.csv': dayFile(wednesday, { AAAA: 121 }), 'noise.txt': noise });
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const announced = { header: { adds: true, sha256 } };
    const { dataset, unchanged } = await own.importBytes(bytes, announced);
    expect(unchanged).toBe(false);
    for (const sent of [bytes, Buffer.alloc(0)]) {
      expect(await own.importBytes(sent, announced)).toMatchObject({ dataset, unchanged: true });
    }
    const lie = { header: { adds: true, sha256: '0'.repeat(64) } };
    await expect(own.importBytes(bytes, lie)).rejects.toMatchObject({ code: 'import_rejected' });
  });

  test('rejects a lone Saturday as a weekend', async () => {
    await whole();
    const before = await own.state();
    await expect(own.addFiles({ 'day.csv': dayFile(SATURDAY, { AAAA: 1, BBBB: 2 }) })).rejects.toMatchObject({
      code: 'import_rejected',
      message:
        'None of the 2 rows can be used; the first is refused at day.csv:2: not a trading day: a weekend.',
    });
    expect(await own.state()).toEqual(before);
  });

  test('refuses data of another kind', async () => {
    const { version } = await whole();
    await expect(
      own.addFiles({ 'day.csv': dayFile(thursday, { AAAA: 1 }) }, { kind: 'synthetic' }),
    ).rejects.toMatchObject({
      code: 'import_rejected',
      message: `The upload is called synthetic and cannot be added to ${version}, which is real.`,
    });
  });
});

describe('a newest day of few stocks', () => {
  const WHOLE = IDX_CALENDAR.tradingDays('2021-12-20', '2021-12-30');
  const TAIL = IDX_CALENDAR.tradingDays('2022-01-03', '2022-01-14');
  const STOCKS = Array.from({ length: 928 }, (_, i) => `S${String(1_000 + i).slice(1)}`);
  const closeOn = (ticker: string, date: string) =>
    200 + (STOCKS.indexOf(ticker) % 50) + [...WHOLE, ...TAIL].indexOf(date);
  const filesOf = (dates: string[], tickers: string[]) =>
    Object.fromEntries(
      dates.map((date) => [
        `days/${date}.csv`,
        idxDayFile(tickers.map((ticker) => ({ ticker, date, close: closeOn(ticker, date) }))),
      ]),
    );
  const [JAN_3, LAST_WHOLE] = [TAIL[0]!, WHOLE.at(-1)!];
  const acceptDay = async (day: string | undefined, reason = '') =>
    (await outcomeOf(own.datasets.acceptDay({ day, reason }, { ...operator, actor: 'ani' }))).outcome;

  /** What is judged of the market, apart from the version's name. */
  async function judged() {
    const called = { identity: identityOf('screens'), timeoutMs: 60_000 };
    const fields = clientOf(FieldServiceService, own.address, called);
    const rules = { rules: 'close > 200', columns: ['regime', 'board', 'ret_5d'] };
    const { dataset_version: _, ...screen } = await fields.screenStocks(
      { ...rules, universe: undefined, as_of: undefined },
      anybody,
    );
    fields.close();
    const overview = await own.market.getMarketOverview({}, anybody);
    const { adjusted_to: __, dataset_version: ___, freshness: ____, ...market } = overview;
    const { as_of, count } = await own.market.listStocks({ status: 'listed', limit: 1_000 }, anybody);
    return { market, screen, listed: [as_of, count] };
  }

  test('is partial: it is a finding and is shown, and the market is judged by the last whole day until an operator accepts it', async () => {
    await own.importFiles(filesOf(WHOLE, STOCKS));
    const before = await judged();
    expect(before).toMatchObject({ screen: { as_of: LAST_WHOLE }, listed: [LAST_WHOLE, 928] });
    const { dataset, findings } = await own.addFiles(filesOf([JAN_3], STOCKS.slice(0, 30)));
    expect(dataset).toMatchObject({ last_date: JAN_3, whole_until: LAST_WHOLE });
    expect(findings).toContainEqual({
      finding: `partial day, so that models and screens stay on ${LAST_WHOLE}`,
      count: 1,
      first_at: `${JAN_3}: 30 of 928 stocks`,
    });
    expect(await judged()).toEqual(before);
    // One stock goes on for nine days beyond the others.
    const alone = (await own.addFiles(filesOf(TAIL, STOCKS.slice(0, 1)))).dataset!;
    expect(alone).toMatchObject({ last_date: TAIL.at(-1), whole_until: LAST_WHOLE });
    expect(await judged()).toEqual(before);
    const { quotes } = await own.market.getQuotes({ tickers: ['S000', 'S001', 'S100'] }, anybody);
    expect(Object.values(quotes).map(({ date }) => date)).toEqual([TAIL.at(-1), JAN_3, LAST_WHOLE]);
    const { freshness } = await own.datasets.getCurrentDataset({}, anybody);
    expect(freshness).toMatchObject({ data_as_of: LAST_WHOLE, partial_day: TAIL.at(-1) });

    await expect(acceptDay('2022-01-01')).rejects.toMatchObject({ code: 'import_rejected' });
    expect(await acceptDay(LAST_WHOLE)).toMatchObject({ unchanged: true });
    const accepted = await acceptDay(JAN_3, 'a short day');
    expect(accepted.dataset).toMatchObject({ whole_until: JAN_3, bars: alone.bars });
    expect((await judged()).listed).toEqual([JAN_3, 928]);
    const { served } = await own.datasets.listServedDatasets({ limit: 1 }, operator);
    expect(served).toMatchObject([{ action: 'accepted day', actor: 'ani', reason: `${JAN_3}: a short day` }]);
    const added = await own.addFiles({
      'listing/all.csv': `${LISTING_HEADER}\nS001,Beta,1999-01-04,1.0,Utama\n`,
    });
    expect(added.dataset).toMatchObject({ whole_until: JAN_3 });
  });

  test('is as if it had come whole once the rest is there', async () => {
    const some = STOCKS.slice(0, 100);
    await own.importFiles(filesOf(WHOLE, some));
    await own.addFiles(filesOf(TAIL, STOCKS.slice(0, 1)));
    const { dataset: repaired } = await own.addFiles(filesOf(TAIL, some));
    const [bars, judgedNow] = [await own.barsOf(repaired!), await judged()];
    const { dataset: clean } = await own.importFiles(filesOf([...WHOLE, ...TAIL], some));
    expect([repaired!.whole_until, clean!.whole_until]).toEqual([TAIL.at(-1), TAIL.at(-1)]);
    expect(judgedNow).toEqual(await judged());
    expect(bars).toEqual(await own.barsOf(clean!));
  });
});
