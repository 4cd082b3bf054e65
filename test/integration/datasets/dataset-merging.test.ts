import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Dataset } from '#proto/saring/market_data/v1/datasets.ts';
import { idxFile, weekdays, type IdxDay } from '#support/markets/idx-archive.ts';
import { testImporter } from '#support/services/test-importer.ts';

const own = testImporter();

interface Row extends IdxDay {
  ticker: string;
}

const FIRST_DAY = '2024-01-01';
const DAYS = 14;
/** Weekdays, and a Saturday among them on which the exchange tested its systems. */
const SATURDAY = '2024-01-06';
const DATES = [...weekdays(FIRST_DAY, DAYS), SATURDAY].toSorted();

/** What may happen to a stock on a day. Prices with decimals must survive the store unchanged. */
const arbitraryDay = fc.record({
  event: fc.oneof(
    { weight: 40, arbitrary: fc.constant('ordinary' as const) },
    { weight: 1, arbitrary: fc.constantFrom('absent', 'idle', 'split', 'rights', 'broken', 'twice') },
  ),
  close: fc.oneof(fc.integer({ min: 50, max: 9_000 }), fc.double({ min: 50, max: 900, noNaN: true })),
  /** Whether the reference price repeats the close of the last row of any kind, even a refused one. */
  isEcho: fc.boolean(),
});
const arbitraryStock = fc.array(arbitraryDay, { minLength: DATES.length, maxLength: DATES.length });
const stocks = (minLength: number, maxLength: number) => fc.array(arbitraryStock, { minLength, maxLength });
const arbitraryMarket = fc.record({
  // With few stocks every day looks ordinary; with many, a day with hardly any trade stands out.
  stocks: fc.oneof(stocks(1, 3), stocks(24, 26)),
  quiet: fc.option(fc.constantFrom(...DATES), { freq: 3 }),
});
type Market = typeof arbitraryMarket extends fc.Arbitrary<infer T> ? T : never;

function rowsOf({ stocks, quiet }: Market): Row[] {
  return stocks.flatMap((days, stock) => stockRows(`T${String(stock).padStart(3, '0')}`, days, quiet));
}

function stockRows(ticker: string, days: Market['stocks'][number], quiet: string | null): Row[] {
  const rows: Row[] = [];
  let [lastClose, lastTold, shares] = [100, 100, 1_000_000];
  for (const [index, { event, close, isEcho }] of days.entries()) {
    const date = DATES[index]!;
    if (event === 'absent') continue;
    const isIdle = event === 'idle' || (date === quiet && ticker > 'T002');
    if (event === 'split') [shares, lastClose] = [shares * 2, lastClose / 2];
    if (event === 'rights') lastClose *= 0.8;
    const row: Row = {
      ticker,
      date,
      listed_shares: shares,
      volume: isIdle ? 0 : 1_000,
      close: text(isIdle ? lastClose : close),
      previous: text(isEcho ? lastTold : lastClose),
      // For a row without an opening price, the import takes the reference price, limited to the range of high and low.
      ...(isIdle ? {} : { high: text(close * 1.1), low: text(close * 0.9), value: text(close * 1_000) }),
      open_price: close > 500 ? text(close) : 0,
      bid: close % 3 === 0 ? '' : close % 3 === 1 ? 0 : text(close),
      frequency: event === 'broken' ? -1 : isIdle ? 0 : 10,
    };
    rows.push(row, ...(event === 'twice' ? [{ ...row, close: text(close * 1.05) }] : []));
    lastTold = Number(rows.at(-1)!.close);
    if (event !== 'broken' && date !== SATURDAY) lastClose = Number(row.close);
  }
  return rows;
}

const text = (price: number) => price.toString();

function filesOf(rows: Row[]): Record<string, string> {
  const byTicker = Map.groupBy(rows, ({ ticker }) => ticker);
  return Object.fromEntries([...byTicker].map(([ticker, days]) => [`bars/${ticker}.csv`, idxFile(days)]));
}

const isGood = ({ date, frequency }: Row) => date !== SATURDAY && frequency !== -1;
const keyOf = ({ ticker, date }: Row) => `${ticker} ${date}`;

/** The rows of both, without rows of the first that a good row of the second replaces: with its bid, if it says one. */
function merged(rows: Row[], added: Row[]): Row[] {
  const replaced = new Set(added.filter(isGood).map(keyOf));
  const bids = new Map(rows.filter(isGood).map((row) => [keyOf(row), row.bid!]));
  const withBid = (row: Row) => (row.bid === '' ? { ...row, bid: bids.get(keyOf(row)) ?? '' } : row);
  return [...rows.filter((row) => !replaced.has(keyOf(row))), ...added.map(withBid)].toSorted((a, b) =>
    a.date.localeCompare(b.date),
  );
}

async function wholeImport(rows: Row[]) {
  return own.bars((await own.import(filesOf(rows), { adds: false })).dataset!);
}

test('a market grown by additions equals one imported whole, row by row', async () => {
  const arbitraryEnds = fc.subarray(DATES, { minLength: 2, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(arbitraryMarket, arbitraryEnds, async (market, ends) => {
      const rows = rowsOf(market);
      let known: Row[] = [];
      let grown: Dataset | undefined;
      for (const [index, end] of ends.entries()) {
        const added = rows.filter(({ date }) => date <= end && date > (ends[index - 1] ?? ''));
        if (!added.some(isGood)) continue;
        grown = (await own.import(filesOf(added), { adds: grown !== undefined })).dataset;
        known = merged(known, added);
      }
      fc.pre(grown !== undefined);
      expect(await own.bars(grown)).toEqual(await wholeImport(known));
    }),
    { numRuns: 6 },
  );
});

test('a market with corrected days equals one imported whole, row by row', async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryMarket, arbitraryMarket, fc.subarray(DATES), async (market, other, days) => {
      const rows = rowsOf(market);
      // A day that was refused as a whole is lost. It would return only with the rows that are sent again.
      const corrected = days.filter((date) => date !== market.quiet);
      const corrections = rowsOf(other).filter(({ date }) => corrected.includes(date));
      fc.pre(rows.some(isGood) && corrections.some(isGood));
      await own.import(filesOf(rows), { adds: false });
      const restates = { from: DATES[0]!, to: DATES.at(-1)! };
      const { dataset } = await own.import(filesOf(corrections), { adds: true, restates });
      expect(await own.bars(dataset!)).toEqual(await wholeImport(merged(rows, corrections)));
    }),
    { numRuns: 7 },
  );
});
