import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_SALE_WAIT_DAYS } from './triple-barrier.ts';
import { arbitraryBars, panelOf, dailyBars, type BarFixture } from '../panel/panel-fixture.ts';
import { picksOutcome, type PickedDay } from './picks-outcome.ts';

const PICKED: PickedDay = {
  day: 0,
  tickers: ['AAAA'],
  floors: { min_price: 0, min_daily_val: 0 },
  barriers: { targetGain: 0.1, stopLoss: 0.05, horizonDays: 3 },
};

type Day = Partial<BarFixture> & { close: number };

/** A stock on consecutive days, next to another that trades on all days and so defines the exchange's calendar. */
function market(days: Day[], exchangeDays = 5) {
  const calendar = dailyBars(exchangeDays, () => ({ close: 1 }), { ticker: 'ZZZZ' });
  return panelOf([...dailyBars(days.length, (day) => days[day]!), ...calendar]);
}

const quiet = (close: number): Day => ({ close, high: close + 5, low: close - 5 });
const up = { close: 1_080, high: 1_110, low: 1_000 };
const down = { close: 960, high: 1_000, low: 940 };

/** State of the first stock at the end of each day, from the picked day on. */
function statesOf(days: Day[]): string[] {
  const panel = market(days);
  return Array.from(
    { length: panel.dayCount },
    (_, lastDay) => picksOutcome(panel, PICKED, lastDay).picks[0]!.state,
  );
}

describe('a pick at 1,000 with a target of 1,100 and a stop at 950', () => {
  test.each<[string, Day[], string[]]>([
    ['reaches the target', [quiet(1_000), quiet(1_000), up], ['open', 'bought', 'won', 'won', 'won']],
    ['reaches the stop', [quiet(1_000), quiet(1_000), down], ['open', 'bought', 'lost', 'lost', 'lost']],
    [
      'reaches neither',
      [quiet(1_000), quiet(1_000), quiet(1_010), quiet(1_020), up],
      ['open', 'bought', 'bought', 'expired', 'expired'],
    ],
    [
      'opens too high',
      [quiet(1_000), { close: 1_050, low: 1_040, high: 1_110 }],
      ['open', 'unfilled', 'unfilled', 'unfilled', 'unfilled'],
    ],
  ])('%s', (_what, days, states) => {
    expect(statesOf(days)).toEqual(states);
  });
});

test('a pick without a bar on the picked day stays open', () => {
  const panel = market([quiet(1_000)]);
  const tickers = ['AAAA', 'NONE'];
  const open = { state: 'open', exitDay: undefined, netReturn: undefined };
  expect(picksOutcome(panel, { ...PICKED, tickers, day: 1 }, 4).picks).toEqual([
    { ticker: 'AAAA', ...open },
    { ticker: 'NONE', ...open },
  ]);
});

test('an ended pick never changes on later days', () => {
  fc.assert(
    fc.property(arbitraryBars, fc.nat(5), (bars, day) => {
      const panel = panelOf(bars);
      if (day >= panel.dayCount) return;
      const picked = { ...PICKED, day, tickers: panel.columns.tickers };
      const atTheEnd = picksOutcome(panel, picked, panel.dayCount - 1);
      for (let lastDay = day; lastDay < panel.dayCount; lastDay++) {
        const { picks, universe } = picksOutcome(panel, picked, lastDay);
        for (const [i, pick] of picks.entries())
          if (pick.state !== 'open' && pick.state !== 'bought') expect(pick).toEqual(atTheEnd.picks[i]);
        expect(universe === undefined).toBe(day + PICKED.barriers.horizonDays + MAX_SALE_WAIT_DAYS > lastDay);
      }
    }),
  );
});
