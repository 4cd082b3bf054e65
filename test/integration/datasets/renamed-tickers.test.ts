import { describe, expect, test } from 'vitest';
import { brokerFile, tradeBetween } from '#support/markets/broker-rows.ts';
import { anybody } from '#support/services/dataset-client.ts';
import { idxDayFile, idxFile, LISTING_HEADER, weekdays } from '#support/markets/idx-archive.ts';
import { testMarketData } from '#support/services/test-market-data.ts';

const own = testMarketData();
const days = weekdays('2024-03-04', 6);
const [before, after] = [days.slice(0, 3), days.slice(3)];
const TABLE = `ticker,kind,ex_date,known_on,new_ticker\nAAAA,ticker_change,${after[0]},2024-02-20,BBBB\n`;
const BARS = {
  'bars/AAAA.csv': idxFile(
    before.map((date, i) => ({ date, close: 100 + i, previous: i === 0 ? 100 : 99 + i })),
  ),
  'bars/BBBB.csv': idxFile(after.map((date, i) => ({ date, close: 103 + i, previous: 102 + i }))),
  'bars/CCCC.csv': idxFile(days.map((date) => ({ date, close: 50 }))),
  'listing/all.csv': `${LISTING_HEADER}\nAAAA,Alfa Tbk.,2001-05-14,1,Utama\n`,
};
const closesOf = async (ticker: string) => {
  const { bars } = await own.market.listBars(
    { ticker, interval: 'day', adjusted: 'true', limit: 100 },
    anybody,
  );
  return bars.map(({ date, trading }) => [date, trading!.close]);
};
const WHOLE = days.map((date, i) => [date, 100 + i]);
const importTable = () => own.importBytes(Buffer.from(TABLE), { source: 'actions.csv' });

describe('a stock that was renamed', () => {
  test('has its whole history under the new name when the table comes with the bars', async () => {
    const { dataset, rejections } = await own.importFiles({ 'a.csv': TABLE, ...BARS });
    expect([dataset!.tickers, dataset!.bars, rejections]).toEqual([2, 12, []]);
    expect(await closesOf('BBBB')).toEqual(WHOLE);
    expect((await own.market.getSnapshot({ ticker: 'BBBB', days: 1 }, anybody)).name).toBe('Alfa Tbk.');
  });

  test('has it when the table comes later, and keeps it when days are added', async () => {
    await own.importFiles(BARS);
    expect(await closesOf('AAAA')).toHaveLength(3);
    await importTable();
    expect(await closesOf('BBBB')).toEqual(WHOLE);
    const corrected = idxDayFile([
      { ticker: 'AAAA', date: before[1]!, close: 101, previous: 100, volume: 2_000 },
    ]);
    const { dataset } = await own.importBytes(Buffer.from(corrected), {
      source: 'day.csv',
      header: { adds: true, restates_from: before[1]! },
    });
    expect([dataset!.tickers, dataset!.bars]).toEqual([2, 12]);
    expect(await closesOf('BBBB')).toEqual(WHOLE);
    const { ohlcv } = await own.market.getSnapshot({ ticker: 'BBBB', days: 6 }, anybody);
    expect(ohlcv.map(({ volume }) => volume)).toEqual([1_000, 2_000, 1_000, 1_000, 1_000, 1_000]);
  });

  test('is not found under its old name, and the error says the new one to people and programs', async () => {
    await own.importFiles({ 'a.csv': TABLE, ...BARS });
    const asked = own.market.getSnapshot({ ticker: 'aaaa', days: 1 }, anybody);
    await expect(asked).rejects.toMatchObject({
      code: 'not_found',
      message: `AAAA has been called BBBB since ${after[0]}, with its whole history.`,
      detail: [{ ctx: { new_ticker: 'BBBB', since: after[0] } }],
    });
    await expect(own.market.getSnapshot({ ticker: 'DDDD', days: 1 }, anybody)).rejects.toMatchObject({
      detail: [],
    });
  });

  test('leaves the old name to a stock that gets it later', async () => {
    const another = idxDayFile([{ ticker: 'AAAA', date: days[5]!, close: 7 }]);
    await own.importFiles({ 'a.csv': TABLE, ...BARS, 'days/another.csv': another });
    expect(await closesOf('AAAA')).toEqual([[days[5], 7]]);
    expect(await closesOf('BBBB')).toEqual(WHOLE);
  });

  test('keeps its name until the rename has happened', async () => {
    const { 'bars/BBBB.csv': _, ...until } = BARS;
    const onlyBefore = { ...until, 'bars/CCCC.csv': idxFile(before.map((date) => ({ date, close: 50 }))) };
    await own.importFiles({ 'a.csv': TABLE, ...onlyBefore });
    expect(await closesOf('AAAA')).toHaveLength(3);
  });

  test('keeps its broker rows, uploaded before the table, with it and after it', async () => {
    const rowsOf = (date: string) =>
      brokerFile(tradeBetween(['AK', 'YP'], 1_000, date === before[0] ? 100 : 101, { date }));
    await own.importFiles({ ...BARS, 'rows.csv': rowsOf(before[0]!) });
    await importTable();
    await own.importBytes(Buffer.from(rowsOf(before[1]!)), { source: 'rows.csv' });
    const { trading_days, brokers } = await own.market.getBrokerWindow(
      { ticker: 'BBBB', days: 6, market: 'REG', sort_by: 'value', top_n: 20 },
      anybody,
    );
    expect([trading_days, brokers.length]).toEqual([2, 2]);
    expect(brokers.map(({ active_days }) => active_days)).toEqual([2, 2]);
  });
});
