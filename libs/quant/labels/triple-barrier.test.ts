import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { priceLimits, roundToTick, tickSize } from '../exchange/exchange.ts';
import { arbitraryBars, panelOf, poisonedPanel, dailyBars, type BarFixture } from '../panel/panel-fixture.ts';
import type { EntryRule } from './entry.ts';
import { MAX_SALE_WAIT_DAYS, tripleBarrier, UNDECIDED, type Barriers } from './triple-barrier.ts';

const BARRIERS: Barriers = { targetGain: 0.1, stopLoss: 0.05, horizonDays: 4 };

type Day = Partial<BarFixture> & { close: number };

/** A stock on consecutive days, next to another that trades on all days and so defines the exchange's calendar. */
function market(days: Day[], exchangeDays = 8) {
  const count = Math.max(exchangeDays, days.length);
  const calendar = dailyBars(count, () => ({ close: 1, bid: 1 }), { ticker: 'ZZZZ' });
  return panelOf([...dailyBars(days.length, (day) => days[day]!), ...calendar]);
}

interface Purchase {
  lastDay?: number;
  rule?: EntryRule;
}

/** Outcome of buying the first stock after its first day. */
function bought(days: Day[], { lastDay = 7, rule }: Purchase = {}) {
  const firstRow = { ticker: [0], panelRow: [0] };
  const panel = market(days, lastDay + 1);
  const { filled, won, exitDay, netReturn } = tripleBarrier(panel, firstRow, BARRIERS, lastDay, rule);
  return { filled: filled[0], won: won[0], exitDay: exitDay[0], netReturn: netReturn[0]! };
}

/** Outcome of buying the first stock at its first close. */
function outcome(days: Day[], { lastDay = 7 }: Purchase = {}) {
  const { filled: _, ...rest } = bought(days, { lastDay, rule: 'close' });
  return rest;
}

const quiet = (close: number): Day => ({ close, high: close + 5, low: close - 5 });
const suspended = (close: number): Day => ({ close, volume: 0 });
/** Net return of buying at 1,000 plus a tick of 5 and selling at `price`. */
const net = (price: number) => (price * 0.9975) / (1_005 * 1.0015) - 1;

describe('a position bought at 1,000 with a target of 1,100 and a stop at 950', () => {
  test('is sold at the target on the day that reaches it', () => {
    const days = [quiet(1_000), quiet(1_050), { close: 1_080, high: 1_100, low: 1_040 }, quiet(500)];
    expect(outcome(days)).toEqual({ won: 1, exitDay: 2, netReturn: net(1_100) });
  });

  test('is sold a tick below the stop on the day that touches it', () => {
    const days = [quiet(1_000), { close: 990, high: 1_000, low: 950 }, quiet(2_000)];
    expect(outcome(days)).toEqual({ won: 0, exitDay: 1, netReturn: net(945) });
  });

  test('counts as stopped when one day reaches both', () => {
    const days = [quiet(1_000), { close: 1_000, high: 1_200, low: 900 }];
    expect(outcome(days)).toEqual({ won: 0, exitDay: 1, netReturn: net(945) });
  });

  test('is sold at the high of a day that stayed below the stop', () => {
    const days = [quiet(1_000), { close: 860, high: 880, low: 850 }];
    expect(outcome(days)).toEqual({ won: 0, exitDay: 1, netReturn: net(880) });
  });

  test('is sold on a day that stayed above the target at its open or, if that is not known, at its low', () => {
    const sold = (day: Omit<Day, 'close'>) =>
      outcome([quiet(1_000), { close: 1_180, high: 1_200, low: 1_150, previous: 1_000, ...day }]);
    expect(sold({})).toEqual({ won: 1, exitDay: 1, netReturn: net(1_150) });
    expect(sold({ open: 1_160 })).toEqual({ won: 1, exitDay: 1, netReturn: net(1_160) });
    // The importer puts the reference price where the source has no open.
    expect(sold({ previous: 1_170, open: 1_170 })).toEqual({ won: 1, exitDay: 1, netReturn: net(1_150) });
  });

  test('is sold at prices that can be traded: a tick below 500 is 498, and no order stands at 201.4 or 8,122.5', () => {
    const sold = (close: number, day: Day) => {
      const last = Array.from({ length: 4 }, () => day);
      return { ...outcome([{ close }, ...last]), paid: close + tickSize(close) };
    };
    const at = (price: number, { paid, netReturn }: ReturnType<typeof sold>) =>
      expect(netReturn).toBeCloseTo((price * 0.9975) / (paid * 1.0015) - 1, 12);
    at(498, sold(505, { close: 500, high: 510, low: 495 }));
    // The stop of 212 lies between 200 and 202, and that of 8,550 between 8,100 and 8,125.
    at(199, sold(212, { close: 206, high: 210, low: 195 }));
    at(8_075, sold(8_550, { close: 8_200, high: 8_500, low: 8_000 }));
    // The target of 1,065 is 1,171.5.
    at(1_175, sold(1_065, { close: 1_150, high: 1_180, low: 1_100 }));
  });

  test('is sold a tick below the last close at the horizon, whatever comes later', () => {
    const days = [1_000, 1_010, 1_020, 1_030, 1_040].map(quiet);
    for (const later of [quiet(2_000), quiet(1)])
      expect(outcome([...days, later])).toEqual({ won: 0, exitDay: 4, netReturn: net(1_035) });
  });

  test('does not end on the day of entry', () => {
    const days = [{ close: 1_000, high: 1_300, low: 700 }, ...[1_010, 1_020, 1_030, 1_040].map(quiet)];
    expect(outcome(days)).toMatchObject({ exitDay: 4 });
  });

  test('stays open during suspended days, which count towards the horizon, and is sold when it trades again', () => {
    const days = [
      quiet(1_000),
      suspended(1_000),
      suspended(1_000),
      { close: 1_080, high: 1_100, low: 1_000 },
    ];
    expect(outcome(days)).toMatchObject({ won: 1, exitDay: 3 });
    const resumed = { close: 900, high: 930, low: 880, volume: 1_000, value: 910_000 };
    expect(outcome([quiet(1_000), ...[0, 1, 2, 3].map(() => suspended(1_000)), resumed])).toEqual({
      won: 0,
      exitDay: 5,
      netReturn: net(910),
    });
  });

  test.each([
    ['suspended', [quiet(1_040), ...Array.from({ length: 8 }, () => suspended(1_040))]],
    ['delisted', [quiet(1_040)]],
  ])('has no return when it is %s until five days after the horizon', (_how, days) => {
    const until = BARRIERS.horizonDays + MAX_SALE_WAIT_DAYS;
    const held = [quiet(1_000), ...days];
    expect(outcome(held, { lastDay: until })).toEqual({ won: 0, exitDay: until, netReturn: NaN });
    expect(outcome(held, { lastDay: until - 1 })).toMatchObject({ exitDay: UNDECIDED });
  });

  test('neither wins nor loses through a split', () => {
    const split = { close: 201, high: 204, low: 198, factor: 0.2, share_factor: 0.2 };
    const days = [quiet(1_000), split, { close: 205, high: 209, low: 200 }];
    const after = outcome([...days, { close: 218, high: 220, low: 204 }]);
    expect(after).toMatchObject({ won: 1, exitDay: 3 });
    expect(after.netReturn).toBeCloseTo(net(1_100), 12);
    const stopped = outcome([...days, { close: 195, high: 205, low: 190 }]);
    expect(stopped).toMatchObject({ won: 0, exitDay: 3 });
    expect(stopped.netReturn).toBeCloseTo(net(5 * 189), 12);
    const given = outcome([
      ...days,
      { close: 207, high: 208, low: 206 },
      { close: 208, high: 209, low: 207 },
    ]);
    expect(given.netReturn).toBeCloseTo(net(5 * 206), 12);
  });
});

describe('a position whose stop is reached on a day without bids', () => {
  /** A day that trades only at its lower limit, a quarter below the close before. */
  const locked = (previous: number): Day => {
    const price = 0.75 * previous;
    return { previous, close: price, high: price, low: price };
  };
  const withBids = (average: number, high: number): Day => ({
    previous: 560,
    close: 560,
    low: 450,
    high,
    volume: 1_000,
    value: 1_000 * average,
  });

  test('is sold on the next day that trades above its lower limit, at its average price', () => {
    const days = [quiet(1_000), locked(1_000), locked(750), withBids(500, 600)];
    expect(outcome(days)).toEqual({ won: 0, exitDay: 3, netReturn: net(500) });
    expect(outcome(days, { lastDay: 2 })).toMatchObject({ exitDay: UNDECIDED });
  });

  test('gets no more than a tick below the stop, even when the price recovers', () => {
    const days = [quiet(1_000), locked(1_000), { ...withBids(990, 1_200), previous: 1_000 }];
    expect(outcome(days)).toEqual({ won: 0, exitDay: 2, netReturn: net(945) });
  });

  test('gets the average price at most on a day that closes at the limit', () => {
    const falling = { previous: 1_000, close: 750, low: 750, high: 990, volume: 1_000, value: 850_000 };
    expect(outcome([quiet(1_000), falling])).toEqual({ won: 0, exitDay: 1, netReturn: net(850) });
  });

  test('waits beyond the horizon for a bid, and is given up without a return after that', () => {
    const stuck: Day[] = [];
    for (let previous = 1_000; stuck.length < 4; previous = stuck.at(-1)!.close) {
      const price = priceLimits(previous, '2024-01-02', 'regular').lower;
      stuck.push({ previous, close: price, high: price, low: price });
    }
    const until = 4 + MAX_SALE_WAIT_DAYS;
    const priced = (days: Day[]) => {
      const panel = market(days, until + 2);
      const { exitDay, netReturn } = tripleBarrier(
        panel,
        { ticker: [0], panelRow: [0] },
        BARRIERS,
        until,
        'close',
      );
      return [exitDay[0], netReturn[0]];
    };
    const bid = { previous: 320, close: 330, low: 325, high: 340, volume: 1_000, value: 330_000 };
    expect(priced([quiet(1_000), ...stuck, bid])).toEqual([5, net(330)]);
    expect(priced([quiet(1_000), ...stuck])).toEqual([until, NaN]);
  });
});

describe('a position at 1,000 that falls by 10 % on a special board', () => {
  /** A day at a single price, 10 % below the close before. */
  const locked = (previous: number, bid?: number): Day => {
    const price = 0.9 * previous;
    return { previous, close: price, high: price, low: price, ...(bid !== undefined && { bid }) };
  };
  const sold = { previous: 810, close: 760, low: 730, high: 800, volume: 1_000, value: 770_000 };

  test('is not sold at a single price that nobody bids, as the source says, or as is assumed where it does not', () => {
    for (const bid of [0, undefined])
      expect(outcome([quiet(1_000), locked(1_000, bid), locked(900, bid), sold])).toEqual({
        won: 0,
        exitDay: 3,
        netReturn: net(770),
      });
  });

  test('is sold at once where the source has a bid, and not below the limit of the day', () => {
    expect(outcome([quiet(1_000), locked(1_000, 900), sold])).toEqual({
      won: 0,
      exitDay: 1,
      netReturn: net(900),
    });
  });

  test('gets the average price at most on a day that ends without a bid', () => {
    const falling = { previous: 1_000, close: 900, low: 900, high: 990, volume: 1_000, value: 930_000 };
    for (const bid of [{ bid: 0 }, {}])
      expect(outcome([quiet(1_000), { ...falling, ...bid }]).netReturn).toBe(net(930));
    expect(outcome([quiet(1_000), { ...falling, bid: 900 }]).netReturn).toBe(net(945));
  });

  test('is not sold at any single price that nobody bids', () => {
    const single = { close: 940, previous: 1_000 };
    expect(outcome([quiet(1_000), { ...single, bid: 0 }, sold])).toMatchObject({ exitDay: 2 });
    expect(outcome([quiet(1_000), single, sold])).toMatchObject({ exitDay: 1, netReturn: net(940) });
  });
});

describe('on any market with days at the lower limit', () => {
  test('no position is sold on a day without bids, nor above the average after waiting', () => {
    const step = fc.record({ fall: fc.boolean(), move: fc.integer({ min: -60, max: 60 }) });
    fc.assert(
      fc.property(fc.array(step, { minLength: 12, maxLength: 12 }), (steps) => {
        const days: Day[] = [quiet(1_000)];
        for (const { fall, move } of steps) {
          const previous = days.at(-1)!.close;
          const { lower } = priceLimits(previous, '2024-01-02', 'regular');
          const close = fall ? lower : Math.max(lower, roundToTick(previous * (1 + move / 1_000)));
          const high = fall ? lower : Math.max(previous, close);
          const low = fall ? lower : Math.min(previous, close);
          days.push({ previous, close, high, low, volume: 1_000, value: 1_000 * ((high + low) / 2) });
        }
        const { exitDay, netReturn, won } = outcome(days, { lastDay: 12 });
        if (exitDay === UNDECIDED || won === 1 || Number.isNaN(netReturn)) return;
        expect(days[exitDay!]!.high!).toBeGreaterThan(
          priceLimits(days[exitDay!]!.previous!, '2024-01-02', 'regular').lower,
        );
        expect(netReturn).toBeLessThanOrEqual(net(days[exitDay!]!.high!) + 1e-12);
      }),
    );
  });
});

describe('a limit order at 1,010 for the day after a close at 1,000', () => {
  const first = quiet(1_000);
  const later = [1_020, 1_030, 1_040].map(quiet);
  /** Net return of buying at `paid` and selling at `price`. */
  const netOf = (paid: number, price: number) => (price * 0.9975) / (paid * 1.0015) - 1;
  const day = (average: number, low: number, high: number): Day => ({
    close: average,
    low,
    high,
    volume: 1_000,
    value: 1_000 * average,
  });

  test('fills at the average price of the day when that does not exceed the limit', () => {
    const outcome = bought([first, day(1_005, 990, 1_060), ...later]);
    expect(outcome).toMatchObject({ filled: 1, won: 0, exitDay: 4 });
    expect(outcome.netReturn).toBeCloseTo(netOf(1_005, 1_035), 12);
  });

  test('fills at the limit when the average is above it but the low is not', () => {
    expect(bought([first, day(1_050, 1_010, 1_090), ...later]).netReturn).toBeCloseTo(
      netOf(1_010, 1_035),
      12,
    );
  });

  test('does not fill when the low is above the limit, and returns 0', () => {
    expect(bought([first, day(1_050, 1_015, 1_090), ...later])).toEqual({
      filled: 0,
      won: 0,
      exitDay: 1,
      netReturn: 0,
    });
  });

  test('does not fill when the stock does not trade on the next exchange day', () => {
    for (const next of [[suspended(1_000), ...later], []])
      expect(bought([first, ...next])).toEqual({ filled: 0, won: 0, exitDay: 1, netReturn: 0 });
  });

  test('is rounded down to a tick: 1 % above 60 becomes 60', () => {
    const [close, above] = [quiet(60), { close: 61, low: 61, high: 62 }];
    const held = [{ ...above, low: 60 }, above, above, above];
    expect(bought([close, above])).toMatchObject({ filled: 0 });
    expect(bought([close, ...held]).netReturn).toBeCloseTo(netOf(60, 60), 12);
  });

  test('is restated by a split on the next day', () => {
    const split = { factor: 0.2, share_factor: 0.2, volume: 1_000 };
    expect(bought([first, { ...split, close: 204, low: 203, high: 206 }])).toMatchObject({ filled: 0 });
    const cheap = { ...split, close: 201, low: 199, high: 204, value: 201_000 };
    const won = bought([first, cheap, { close: 221, low: 205, high: 222 }]);
    expect(won).toMatchObject({ filled: 1, won: 1, exitDay: 2 });
    expect(won.netReturn).toBeCloseTo(netOf(201, 220), 12);
  });

  test('can be stopped but never win on the day it fills', () => {
    const wild = bought([first, day(1_000, 940, 1_200), ...later]);
    expect(wild).toMatchObject({ filled: 1, won: 0, exitDay: 1 });
    expect(wild.netReturn).toBeCloseTo(netOf(1_000, 945), 12);
    expect(bought([first, day(1_000, 990, 1_200), ...later])).toMatchObject({ won: 0, exitDay: 4 });
  });

  test('filled below the stop is sold for less than it cost, never at the stop', () => {
    const { netReturn } = bought([first, day(900, 880, 940)]);
    expect(netReturn).toBeCloseTo(netOf(900, 895), 12);
  });

  test('is known as filled or unfilled from the next day on', () => {
    const days = [first, day(1_005, 990, 1_060), ...later];
    expect(bought(days, { lastDay: 0 })).toEqual({ filled: 0, won: 0, exitDay: UNDECIDED, netReturn: 0 });
    expect(bought(days, { lastDay: 1 })).toEqual({ filled: 1, won: 0, exitDay: UNDECIDED, netReturn: 0 });
    expect(bought([first, quiet(1_050)], { lastDay: 1 })).toMatchObject({ filled: 0, exitDay: 1 });
  });
});

describe('an outcome is known', () => {
  const days = [1_000, 1_010, 1_020, 1_030, 1_040].map(quiet);

  test('from the day a barrier is reached, or otherwise from the end of the horizon', () => {
    const winning = [...days.slice(0, 3), { close: 1_100, high: 1_100, low: 1_090 }];
    expect(outcome(winning, { lastDay: 2 })).toEqual({ won: 0, exitDay: UNDECIDED, netReturn: 0 });
    expect(outcome(winning, { lastDay: 3 })).toMatchObject({ won: 1, exitDay: 3 });
    expect(outcome(days, { lastDay: 3 })).toMatchObject({ exitDay: UNDECIDED });
    expect(outcome(days, { lastDay: 4 })).toMatchObject({ exitDay: 4 });
  });
});

describe('on any market', () => {
  const barriers = fc.record({
    targetGain: fc.double({ min: 0.03, max: 0.3, noNaN: true }),
    stopLoss: fc.double({ min: 0.02, max: 0.15, noNaN: true }),
    horizonDays: fc.integer({ min: 1, max: 40 }),
  });

  /** Outcomes of buying on every row of a panel. */
  function outcomesOf(bars: BarFixture[], wanted: Barriers, lastDay: number, rule?: EntryRule) {
    const panel = panelOf(bars);
    const panelRow = Array.from({ length: panel.rowCount }, (_, row) => row);
    const { offsets } = panel.columns;
    const ticker = panelRow.map((row) => offsets.findLastIndex((start) => start <= row));
    return { panel, ticker, ...tripleBarrier(panel, { ticker, panelRow }, wanted, lastDay, rule) };
  }

  test('no position outlasts the wait for a bid or gets more than the high of its last day, and later days stay unknown', () => {
    fc.assert(
      fc.property(arbitraryBars, barriers, fc.nat(40), (bars, wanted, lastDay) => {
        const { panel, ticker, won, exitDay, netReturn } = outcomesOf(bars, wanted, lastDay, 'close');
        const { day, high, close } = panel.columns;
        for (let row = 0; row < panel.rowCount; row++) {
          if (exitDay[row] === UNDECIDED) {
            expect(day[row]! + wanted.horizonDays + MAX_SALE_WAIT_DAYS).toBeGreaterThan(lastDay);
            expect([won[row], netReturn[row]]).toEqual([0, 0]);
            continue;
          }
          expect(exitDay[row]!).toBeGreaterThan(day[row]!);
          const latest = day[row]! + wanted.horizonDays + MAX_SALE_WAIT_DAYS;
          expect(exitDay[row]!).toBeLessThanOrEqual(Math.min(lastDay, latest));
          if (Number.isNaN(netReturn[row]!)) {
            expect([won[row], exitDay[row]]).toEqual([0, latest]);
            continue;
          }
          const sold = panel.rowAt(ticker[row]!, exitDay[row]!);
          const most = (high[sold]! * panel.priceScale(sold, row)) / close[row]!;
          expect(netReturn[row]!).toBeLessThan(most - 1);
          if (won[row] === 1) expect(most).toBeGreaterThan(1 + wanted.targetGain - 1e-9);
        }
      }),
    );
  });

  test('rows of later days have no influence', () => {
    fc.assert(
      fc.property(arbitraryBars, barriers, fc.nat(40), (bars, wanted, lastDay) => {
        const { panel, filled, won, exitDay, netReturn } = outcomesOf(bars, wanted, lastDay);
        const { day, offsets } = panel.columns;
        const panelRow = [...day.keys()].filter((row) => day[row]! <= lastDay);
        const ticker = panelRow.map((row) => offsets.findLastIndex((start) => start <= row));
        const later = poisonedPanel(panel, lastDay, NaN);
        const poisoned = tripleBarrier(later, { ticker, panelRow }, wanted, lastDay);
        expect([...poisoned.filled]).toEqual(panelRow.map((row) => filled[row]));
        expect([...poisoned.won]).toEqual(panelRow.map((row) => won[row]));
        expect([...poisoned.exitDay]).toEqual(panelRow.map((row) => exitDay[row]));
        expect([...poisoned.netReturn]).toEqual(panelRow.map((row) => netReturn[row]));
      }),
    );
  });
});
