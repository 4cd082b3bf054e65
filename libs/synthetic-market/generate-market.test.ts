import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { priceLimits, tickSize } from '#quant/exchange/exchange.ts';
import { EXCHANGE_COLUMNS, type ExchangeRows } from './exchange-rows.ts';
import {
  generateMarket,
  generateMarketOn,
  type SyntheticMarketOptions,
  type SyntheticTicker,
} from './generate-market.ts';
import { tradingCalendar } from './trading-calendar.ts';

function digest(options: SyntheticMarketOptions): string {
  const hash = createHash('sha256');
  for (const { rows, ...listing } of generateMarket(options)) {
    hash.update(JSON.stringify([listing, rows.date]));
    for (const name of EXCHANGE_COLUMNS) hash.update(rows[name]);
  }
  return hash.digest('hex');
}

/** The first rule of the exchange that a row breaks, or null. */
function brokenRule({ rows, board }: SyntheticTicker, i: number): string | null {
  const row = Object.fromEntries(EXCHANGE_COLUMNS.map((name) => [name, rows[name][i]!])) as Record<
    (typeof EXCHANGE_COLUMNS)[number],
    number
  >;
  const special = board === 'Akselerasi' || board === 'Pemantauan Khusus';
  if (EXCHANGE_COLUMNS.some((name) => !Number.isFinite(row[name]))) return 'not a number';
  if (row.change !== row.close - row.previous) return 'change';
  if (row.foreign_buy > row.volume || row.foreign_sell > row.volume) return 'foreign above volume';
  if ((row.volume % 100) + (row.foreign_buy % 100) + (row.foreign_sell % 100) !== 0) return 'lot';
  if (row.non_regular_volume > row.listed_shares * 0.05) return 'nego volume';
  if (row.non_regular_volume > 0 !== row.non_regular_value > 0) return 'nego value';
  if (row.volume === 0) return untradedRule(row);
  const limits = priceLimits(row.previous, rows.date[i]!, special ? 'special' : 'regular');
  for (const price of [row.high, row.low, row.close, ...(row.open_price > 0 ? [row.open_price] : [])]) {
    if (price % tickSize(price) !== 0) return 'tick';
    if (price < row.low || price > row.high) return 'range';
    if (price < limits.lower || price > limits.upper) return 'auto-rejection';
  }
  if (row.value < row.low * row.volume || row.value > row.high * row.volume) return 'average price';
  if (row.frequency < 1 || row.frequency > row.volume / 100) return 'frequency';
  if (row.volume > row.listed_shares) return 'more than there is';
  return row.first_trade === row.open_price ? null : 'first trade';
}

function untradedRule(row: Record<string, number>): string | null {
  const zero = [
    'high',
    'low',
    'open_price',
    'first_trade',
    'value',
    'frequency',
    'foreign_buy',
    'foreign_sell',
  ];
  if (zero.some((name) => row[name] !== 0)) return 'traces of trading on a day without';
  return row['close'] === row['previous'] ? null : 'price moved without trading';
}

/** The first rule that two consecutive rows break, or null. */
function brokenStep(rows: ExchangeRows, i: number): string | null {
  const restated = rows.previous[i] !== rows.close[i - 1];
  const recapitalised = rows.listed_shares[i] !== rows.listed_shares[i - 1];
  if (rows.date[i]! <= rows.date[i - 1]!) return 'days out of order';
  if (restated !== recapitalised) return 'reference price and shares must change together';
  return restated && rows.volume[i] === 0 ? 'restated on a day without trading' : null;
}

describe('generateMarket', () => {
  test('the same seed gives the same bytes, on every machine', () => {
    const options = { seed: 42, tickers: 20, days: 250 };
    expect(digest(options)).toBe(digest({ ...options, lastDate: '2026-09-30' }));
    expect(digest(options)).toMatchInlineSnapshot(
      `"333564ee81b2b5515c47ec6aa19554ee6106fb7f57a6564c3f32cde0e6ca8e60"`,
    );
  });

  test('another seed gives another market', () => {
    expect(digest({ seed: 1, tickers: 3, days: 60 })).not.toBe(digest({ seed: 2, tickers: 3, days: 60 }));
  });

  test('every row obeys the exchange rules for any seed, size and number of later days', () => {
    fc.assert(
      fc.property(
        fc.nat(0xffff_ffff),
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 30, max: 400 }),
        fc.constantFrom(0, 1, 300, 600),
        fc.constantFrom('2020-06-30', '2023-07-31', '2026-09-30'),
        (seed, tickers, plannedDays, more, lastDate) => {
          let last = '';
          const dates = tradingCalendar(plannedDays + more, lastDate);
          for (const company of generateMarketOn({ seed, tickers, plannedDays }, dates)) {
            const { rows, ticker } = company;
            expect(ticker > last).toBe(true);
            last = ticker;
            for (let i = 0; i < rows.date.length; i++) {
              const broken = brokenRule(company, i) ?? (i > 0 ? brokenStep(rows, i) : null);
              if (broken !== null) expect.fail(`${ticker} ${rows.date[i]}: ${broken}`);
            }
          }
        },
      ),
      { numRuns: 25 },
    );
  });

  test('companies are clearly fictitious and cover all sectors', () => {
    const market = [...generateMarket({ seed: 5, tickers: 60, days: 30 })];
    for (const { ticker, name } of market) {
      expect(ticker).toMatch(/^Q[A-Z]{3}$/);
      expect(name).toMatch(/^Contoh .* Tbk \(sintetis\)$/);
    }
    expect(new Set(market.map(({ name }) => name)).size).toBe(60);
    expect(new Set(market.map(({ sector }) => sector)).size).toBe(11);
  });

  test.each([
    [{ seed: -1 }, /seed/],
    [{ seed: 1.5 }, /seed/],
    [{ seed: 1, tickers: 0 }, /tickers/],
    [{ seed: 1, tickers: 5_000 }, /at most/],
    [{ seed: 1, days: 5 }, /days/],
    [{ seed: 1, lastDate: 'today' }, /YYYY-MM-DD/],
  ])('refuses %j', (options, message) => {
    expect(() => [...generateMarket(options)]).toThrow(message);
  });
});
