import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arbitraryBars, panelOf } from '../panel/panel-fixture.ts';
import { followed, stock, type Day } from './account-fixture.ts';
import type { Journal } from './journal.ts';

const FLAT = { close: 1_000 };
const flat = (days: number, day: Day = FLAT) => Array.from({ length: days }, () => day);

describe('the book of an account', () => {
  test('buys whole lots for its share of the equity at the limit, and pays the average price, the fee and stamp duty', () => {
    // Limit: 1,000 + 1 % = 1,010. Half of 10,000,000 buys 4,943 shares at 1,011.515 with the fee: 49 lots.
    const { journal } = followed(
      stock('AAAA', [FLAT, { close: 1_000, low: 990, average: 995 }, ...flat(8)]),
      {
        0: ['AAAA'],
      },
    );
    const value = 4_900 * 995;
    const fee = Math.round(value * 0.0015);
    expect(value).toBe(4_875_500);
    expect(fee).toBe(7_313);
    expect(journal.cashIdr.slice(0, 2)).toEqual([10_000_000, 10_000_000 - 4_875_500 - 7_313]);
    expect(journal.equityIdr[1]).toBe(5_117_187 + 4_900_000);
    expect(journal.trades[0]).toMatchObject({ shares: 4_900, price: 995, paidIdr: 4_882_813, boughtDay: 1 });
  });

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

  test('sells at the target, and has the money two trading days later, for which nothing is bought before', () => {
    const bars = [
      ...stock('AAAA', [FLAT, FLAT, { close: 1_050, high: 1_105 }, ...flat(10, { close: 1_050 })]),
      ...stock('BBBB', flat(13, { close: 2_000 })),
    ];
    const picks = { 0: ['AAAA'], 2: ['BBBB'], 3: ['BBBB'] };
    const { journal } = followed(bars, picks, { maxPositions: 1, positionShare: 1 });
    // 98 lots: 99 cost 10,013,998.5 at the limit. Target 1,100 on day 2.
    const paid = 9_800_000 + 14_700;
    const received = 9_800 * 1_100 - Math.round(9_800 * 1_100 * 0.0025) - 10_000;
    expect(received).toBe(10_743_050);
    expect(journal.cashIdr.slice(1, 5)).toEqual([
      10_000_000 - paid,
      10_000_000 - paid,
      10_000_000 - paid,
      // Settled on day 4, and spent on the same day on 53 lots of BBBB.
      10_000_000 - paid + received - (5_300 * 2_000 + 15_900) - 10_000,
    ]);
    expect(journal.missed).toEqual([{ stock: 1, pickedDay: 2, why: 'no_money', asked: 0, bought: 0 }]);
    expect(journal.trades[0]).toMatchObject({ reason: 'target', soldDay: 2, receivedIdr: received + 10_000 });
  });

  test('sells at the stop one tick below it, also on the day of the purchase', () => {
    const { journal } = followed(
      stock('AAAA', [FLAT, { close: 940, low: 930, average: 960 }, ...flat(9, { close: 940 })]),
      {
        0: ['AAAA'],
      },
    );
    expect(journal.trades[0]).toMatchObject({
      boughtDay: 1,
      soldDay: 1,
      reason: 'stop',
      soldIdr: 4_900 * 945,
      receivedIdr: 4_630_500 - 11_576,
    });
  });

  test('sells at the end of the horizon one tick below the close, and not because the stock is no longer picked', () => {
    const { journal } = followed(stock('AAAA', flat(9)), { 0: ['AAAA'], 1: [], 2: [] });
    expect(journal.trades[0]).toMatchObject({ soldDay: 5, reason: 'horizon', soldIdr: 4_900 * 995 });
  });

  test('holds a stock that nobody bids for until somebody does, and then gets the average price at most', () => {
    // Day 2 falls to the lower limit of 750 and stays there; day 3 is locked again at 565; day 4 trades above its limit of 425.
    const locked = (price: number): Day => ({ close: price, low: price, high: price });
    const days = [
      FLAT,
      FLAT,
      locked(750),
      locked(565),
      { close: 480, low: 430, high: 500, average: 470 },
      ...flat(6, { close: 480 }),
    ];
    const { journal } = followed(stock('AAAA', days), { 0: ['AAAA'] });
    expect(journal.trades[0]).toMatchObject({ reason: 'stop', soldDay: 4, soldIdr: 4_900 * 470 });
    const counted = followed(
      stock('AAAA', days),
      { 0: ['AAAA'] },
      { countsImpossible: true, volumeShare: Infinity },
    );
    expect(counted.journal.trades[0]).toMatchObject({ reason: 'stop', soldDay: 2, soldIdr: 4_900 * 750 });
  });

  test('holds a stock that is halted at the end of its horizon until it trades again', () => {
    const halted: Day = { close: 1_000, volume: 0 };
    const { journal } = followed(
      stock('AAAA', [...flat(5), ...flat(4, halted), { close: 980, low: 970, average: 975 }, ...flat(2)]),
      {
        0: ['AAAA'],
      },
    );
    expect(journal.trades[0]).toMatchObject({ reason: 'horizon', soldDay: 9, soldIdr: 4_900 * 975 });
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

  test('buys nothing of a stock that is halted or locked, and says which; counted, it has it at the limit', () => {
    const bars = [
      ...stock('HALT', [FLAT, { close: 1_000, volume: 0 }, ...flat(8)]),
      ...stock('LOCK', [FLAT, { close: 1_250, low: 1_250, high: 1_250 }, ...flat(8, { close: 1_250 })]),
      ...stock('ZERO', [FLAT, { close: 1_100, low: 1_050, high: 1_100 }, ...flat(8, { close: 1_050 })]),
    ];
    const rules = { maxPositions: 3, positionShare: 0.3 };
    const { journal } = followed(bars, { 0: ['HALT', 'LOCK', 'ZERO'] }, rules);
    expect(journal.trades).toEqual([]);
    expect(journal.missed.map(({ why }) => why)).toEqual(['halted', 'locked_at_upper_limit', 'above_limit']);
    const counted = followed(
      bars,
      { 0: ['HALT', 'LOCK', 'ZERO'] },
      { ...rules, countsImpossible: true, volumeShare: Infinity },
    );
    expect(counted.journal.trades.map(({ price }) => price)).toEqual([1_010, 1_010]);
    expect(counted.journal.missed.map(({ why }) => why)).toEqual(['above_limit']);
  });

  test('trades no more than its share of what is traded on a day, and sells the rest on later days', () => {
    const thin: Day = { close: 1_000, volume: 20_000 };
    const days = [
      FLAT,
      thin,
      FLAT,
      { close: 950, low: 940, volume: 9_500 },
      { close: 930, low: 920, average: 925, volume: 30_000 },
      ...flat(6),
    ];
    const { journal } = followed(stock('AAAA', days), { 0: ['AAAA'] });
    // A tenth of 20,000 shares; the other 2,900 of the order lapse. At the stop, 945 a share: a tenth of 9,025,000 buys 9 lots.
    expect(journal.missed).toEqual([
      { stock: 0, pickedDay: 0, why: 'too_thin', asked: 4_900, bought: 2_000 },
    ]);
    expect(journal.trades[0]).toMatchObject({ shares: 2_000, thinDays: 1, soldDay: 4, reason: 'stop' });
    expect(journal.trades[0]!.soldIdr).toBe(900 * 945 + 1_100 * 925);
  });

  test('has five times as many shares after a split of one to five, at the barriers of its price before', () => {
    const after = flat(8, { close: 200 });
    const days = [FLAT, FLAT, { close: 200, factor: 0.2 }, { close: 214, high: 222 }, ...after];
    const { journal } = followed(stock('AAAA', days), { 0: ['AAAA'] });
    expect(journal.equityIdr[2]).toBe(journal.equityIdr[1]);
    expect(journal.trades[0]).toMatchObject({
      reason: 'target',
      soldDay: 3,
      soldShares: 24_500,
      soldIdr: 24_500 * 220,
    });
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

  test('buys nothing that costs more than its share of the equity', () => {
    const { journal } = followed(stock('AAAA', flat(8, { close: 60_000 })), { 0: ['AAAA'] });
    expect(journal.missed).toMatchObject([{ why: 'no_money' }]);
    expect(new Set(journal.equityIdr)).toEqual(new Set([10_000_000]));
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
