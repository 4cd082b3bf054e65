import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arbitraryBars, panelOf } from '../panel/panel-fixture.ts';
import { followed, stock, type Day } from './account-fixture.ts';
import type { Journal } from './journal.ts';

const FLAT = { close: 1_000 };
const flat = (days: number, day: Day = FLAT) => Array.from({ length: days }, () => day);

describe('the book of an account', () => {
  test('pays 10,000 of stamp duty on a day with more than 10,000,000 of trades, and none up to it', () => {
    const costsOf = (capitalIdr: number) =>
      followed(stock('AAAA', flat(4)), { 0: ['AAAA'] }, { capitalIdr, positionShare: 1, maxPositions: 1 })
        .journal;
    // 101 lots of 1,000: 10,100,000. Limit 1,010, so 101 lots take 10,216,301.5 and the 10,000 that are kept.
    const above = costsOf(10_226_302);
    expect(above.tradedIdr[1]).toBe(10_100_000);
    expect(above.costsIdr[1]).toBe(15_150 + 10_000);
    const upTo = costsOf(10_226_300);
    expect(upTo.tradedIdr[1]).toBe(10_000_000);
    expect(upTo.costsIdr[1]).toBe(15_000);
  });

  test('counted although nobody bids, sells at once at the lower limit', () => {
    // Day 2 falls to the lower limit of 750 and stays there.
    const days = [FLAT, FLAT, { close: 750, low: 750, high: 750 }, ...flat(8, { close: 750 })];
    const counted = { countsImpossible: true, volumeShare: Infinity };
    const { journal } = followed(stock('AAAA', days), { 0: ['AAAA'] }, counted);
    expect(journal.trades[0]).toMatchObject({ reason: 'stop', soldDay: 2, soldIdr: 4_900 * 750 });
  });

  test('values a stock that is never traded again at its last close, and does not sell it', () => {
    const { end, journal } = followed([...stock('AAAA', flat(4)), ...stock('BBBB', flat(20))], {
      0: ['AAAA'],
    });
    expect(journal.trades[0]).toMatchObject({ reason: undefined, soldDay: undefined });
    expect(end).toBe(10_000_000 - 7_350);
  });

  test('says what is stuck at the end in stocks that do not trade or that nobody bids for', () => {
    const halted = flat(4, { close: 1_000, volume: 0 });
    const bars = [
      ...stock('FINE', flat(8)),
      ...stock('HALT', [...flat(4), ...halted]),
      // Falls by 10 % a day, the special limit: 900, 810, 730.
      ...stock('LOCK', [...flat(5), ...[900, 810, 730].map((close) => ({ close, low: close, high: close }))]),
    ];
    const { journal, end } = followed(
      bars,
      { 3: ['FINE', 'LOCK'], 2: ['HALT'] },
      { maxPositions: 3, positionShare: 0.3 },
    );
    const [halt, , lock] = journal.trades;
    expect(journal.trades.map(({ reason }) => reason)).toEqual([undefined, undefined, undefined]);
    expect(journal.stuckIdr).toBe(1_000 * halt!.shares + 730 * lock!.shares);
    expect(journal.stuckIdr).toBeLessThan(end);
  });

  test('counted although nobody sells, has what is halted or locked at the limit, and nothing above it', () => {
    const bars = [
      ...stock('HALT', [FLAT, { close: 1_000, volume: 0 }, ...flat(8)]),
      ...stock('LOCK', [FLAT, { close: 1_250, low: 1_250, high: 1_250 }, ...flat(8, { close: 1_250 })]),
      ...stock('ZERO', [FLAT, { close: 1_100, low: 1_050, high: 1_100 }, ...flat(8, { close: 1_050 })]),
    ];
    const counted = { maxPositions: 3, positionShare: 0.3, countsImpossible: true, volumeShare: Infinity };
    const { journal } = followed(bars, { 0: ['HALT', 'LOCK', 'ZERO'] }, counted);
    expect(journal.trades.map(({ price }) => price)).toEqual([1_010, 1_010]);
    expect(journal.missed.map(({ why }) => why)).toEqual(['above_limit']);
  });

  test('has the shares of every split when stocks that it holds split one after the other', () => {
    const split = (on: number) =>
      flat(8).map((day, at) => (at < on ? day : { close: 200, factor: at === on ? 0.2 : 1 }));
    const { journal } = followed([...stock('AAAA', split(2)), ...stock('BBBB', split(3))], {
      0: ['AAAA', 'BBBB'],
    });
    expect(journal.trades.map(({ shares }) => shares)).toEqual([4_900, 4_900]);
    expect(journal.equityIdr.slice(2, 4)).toEqual([journal.equityIdr[1], journal.equityIdr[1]]);
    expect(journal.trades.map(({ soldShares }) => soldShares)).toEqual([24_500, 24_500]);
  });

  test('is paid for what a reverse split leaves of a lot, at the reference price and for the costs of a sale', () => {
    const days = [FLAT, FLAT, { close: 4_000, factor: 4 }, ...flat(2, { close: 4_000 })];
    const { journal } = followed(stock('AAAA', days), { 0: ['AAAA'] });
    // 4,900 shares become 1,225: 12 lots, and 25 shares at 4,000.
    expect(journal.trades[0]).toMatchObject({
      soldShares: 25,
      soldIdr: 100_000,
      receivedIdr: 99_750,
      reason: undefined,
    });
    expect(journal.equityIdr[2]).toBe(journal.equityIdr[1]! - 250);
  });

  test('sells the next position on its own day when a reverse split has ended the one before', () => {
    const ended = [FLAT, FLAT, { close: 200_000, factor: 200 }, ...flat(9, { close: 200_000 })];
    const bars = [...stock('AAAA', ended), ...stock('BBBB', flat(12)), ...stock('CCCC', flat(12))];
    // 98 lots of AAAA become 49 shares. Both sales of day 5 and of day 8 have their days.
    const { journal } = followed(
      bars,
      { 0: ['AAAA', 'CCCC'], 4: ['BBBB'] },
      { maxPositions: 2, positionShare: 0.5, volumeShare: 1 },
    );
    expect(journal.trades.map(({ reason, soldDay }) => [reason, soldDay])).toEqual([
      ['odd_lot', 2],
      ['horizon', 5],
      ['horizon', 9],
    ]);
  });
});

describe('on any market, an account', () => {
  const books = fc
    .record({
      bars: arbitraryBars,
      seed: fc.integer({ min: 0, max: 999 }),
      capitalIdr: fc.integer({ min: 10_000, max: 5_000_000_000 }),
      maxPositions: fc.integer({ min: 1, max: 6 }),
      positionShare: fc.double({ min: 0.05, max: 1, noNaN: true }),
      volumeShare: fc.double({ min: 0.01, max: 1, noNaN: true }),
    })
    .map(({ bars, seed, ...rules }) => {
      const panel = panelOf(bars);
      const picks: Record<number, string[]> = {};
      for (let day = 0; day < panel.dayCount; day++)
        picks[day] = panel.columns.tickers.filter(
          (_, ticker) => panel.rowAt(ticker, day) >= 0 && (seed + day * 7 + ticker * 3) % 4 !== 0,
        );
      return { panel, rules, ...followed(bars, picks, rules) };
    });

  test('never owes money, holds whole lots, and trades no more than its share of a day', () => {
    fc.assert(
      fc.property(books, ({ panel, rules, journal }) => {
        for (const cash of journal.cashIdr) expect(cash).toBeGreaterThanOrEqual(0);
        const { value } = panel.columns;
        for (const { stock, shares, price, boughtDay } of journal.trades) {
          expect(shares % 100).toBe(0);
          const traded = value[panel.rowAt(stock, boughtDay)]!;
          expect(shares * price).toBeLessThanOrEqual(rules.volumeShare * traded * (1 + 1e-12));
        }
        for (const trades of Object.values(Object.groupBy(journal.trades, ({ stock }) => stock))) {
          for (const [at, { soldDay, reason }] of trades!.entries())
            if (at + 1 < trades!.length) {
              expect(reason).toBeDefined();
              expect(soldDay).toBeLessThanOrEqual(trades![at + 1]!.boughtDay);
            }
        }
      }),
    );
  });

  test('has in the end what it began with, received and still holds, less what it paid', () => {
    fc.assert(
      fc.property(books, ({ rules, journal, end }) => {
        const sum = (of: (trade: (typeof journal.trades)[number]) => number) =>
          journal.trades.reduce((total, trade) => total + of(trade), 0);
        const duty = journal.costsIdr.reduce((total, costs) => total + costs, 0) - feesOf(journal);
        const money =
          rules.capitalIdr - sum(({ paidIdr }) => paidIdr) + sum(({ receivedIdr }) => receivedIdr) - duty;
        expect(end).toBeCloseTo(money + journal.investedIdr.at(-1)!, 4);
        expect(duty % 10_000).toBe(0);
        expect(journal.equityIdr.at(-1)).toBe(end);
      }),
    );
  });

  test('comes to the same when its last days are not known yet, up to them', () => {
    fc.assert(
      fc.property(arbitraryBars, fc.integer({ min: 0, max: 30 }), (bars, cut) => {
        const dates = [...new Set(bars.map(({ date }) => date))].toSorted();
        const last = dates[Math.min(cut, dates.length - 1)]!;
        const known = bars.filter(({ date }) => date <= last);
        const picks = { 0: [known[0]!.ticker] };
        const isListed = panelOf(bars).rowAt(panelOf(bars).tickerIndex(known[0]!.ticker), 0) >= 0;
        fc.pre(isListed);
        const [short, long] = [followed(known, picks), followed(bars, picks)];
        expect(long.journal.equityIdr.slice(0, short.journal.equityIdr.length)).toEqual(
          short.journal.equityIdr,
        );
      }),
    );
  });
});

function feesOf({ trades }: Journal): number {
  return trades.reduce(
    (total, { shares, price, paidIdr, soldIdr, receivedIdr }) =>
      total + paidIdr - Math.round(shares * price) + soldIdr - receivedIdr,
    0,
  );
}
