import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { samplePanel } from './brokers/bars-fixture.ts';
import { generated } from './brokers/generated-fixture.ts';
import { EXCHANGE_COLUMNS, type ExchangeRows } from './exchange-rows.ts';
import { generateMarketOn } from './generate-market.ts';
import { tradingCalendar } from './trading-calendar.ts';
import { listingPlans } from './listing-plan.ts';
import { WINDOW_DAYS } from './market-events.ts';

const FIRST_DAYS = tradingCalendar(4_000, '2035-12-31');

/** Trading days of a market that starts on the same day, however long it is. */
function days(count: number): string[] {
  return FIRST_DAYS.slice(0, count);
}

function firstRows(rows: ExchangeRows, count: number): Record<string, unknown> {
  const columns = EXCHANGE_COLUMNS.map((name) => [name, rows[name].slice(0, count)] as const);
  return { date: rows.date.slice(0, count), ...Object.fromEntries(columns) };
}

const anyMarket = fc.record({
  seed: fc.nat(0xffff_ffff),
  tickers: fc.integer({ min: 1, max: 25 }),
  plannedDays: fc.integer({ min: 30, max: 200 }),
});

describe('a market with more days', () => {
  test('begins with exactly the same rows and names, for any seed, size and number of days', () => {
    fc.assert(
      fc.property(
        anyMarket,
        fc.integer({ min: 1, max: 2.5 * WINDOW_DAYS }),
        fc.integer({ min: 1, max: 1.5 * WINDOW_DAYS }),
        (market, count, more) => {
          const longer = new Map(
            [...generateMarketOn(market, days(count + more))].map((company) => [company.ticker, company]),
          );
          for (const { rows, ...company } of generateMarketOn(market, days(count))) {
            const { rows: moreRows, ...same } = longer.get(company.ticker)!;
            longer.delete(company.ticker);
            expect(same).toEqual(company);
            expect(firstRows(moreRows, rows.date.length)).toEqual(firstRows(rows, rows.date.length));
            if (rows.date.at(-1)! < FIRST_DAYS[count - 1]!) expect(moreRows.date).toEqual(rows.date);
          }
          for (const { rows } of longer.values()) expect(rows.date[0]! >= FIRST_DAYS[count]!).toBe(true);
        },
      ),
      { numRuns: 25 },
    );
  });

  test('begins with exactly the same broker rows, also within a month', () => {
    fc.assert(
      fc.property(anyMarket, fc.integer({ min: 1, max: 30 }), (market, more) => {
        const wanted = { ...market, tickers: Math.min(market.tickers, 5) };
        const lastDay = FIRST_DAYS[wanted.plannedDays - 1]!;
        const shorter = generated(samplePanel(generateMarketOn(wanted, days(wanted.plannedDays))));
        const longer = generated(samplePanel(generateMarketOn(wanted, days(wanted.plannedDays + more))));
        expect(longer.filter(({ date }) => date <= lastDay)).toEqual(shorter);
      }),
      { numRuns: 6 },
    );
  });
});

describe('events after the planned days', () => {
  const market = { seed: 1, tickers: 400, plannedDays: 250 };
  const [planned, later] = [market.plannedDays, market.plannedDays + 3_000];
  const plans = listingPlans(market, days(later));
  const countIn = (daysOf: (plan: (typeof plans)[number]) => (number | null)[]) =>
    plans.flatMap(daysOf).filter((day) => day !== null && day >= planned && day < later).length;

  test('go on at the rates of the planned ones: of 400 companies in 3,000 days', () => {
    const listings = countIn(({ firstDay }) => [firstDay]);
    expect(listings).toBeGreaterThan(50);
    expect(listings).toBeLessThan(120);
    const delistings = countIn(({ endDay }) => [endDay]);
    expect(delistings).toBeGreaterThan(12);
    expect(delistings).toBeLessThan(40);
    const dormant = countIn(({ dormantFrom }) => [dormantFrom]);
    expect(dormant).toBeGreaterThan(50);
    expect(dormant).toBeLessThan(140);
    const actions = countIn(({ actions: own }) => own.map(({ day }) => day));
    expect(actions).toBeGreaterThan(110);
    expect(actions).toBeLessThan(240);
  });

  test('reach companies of every window, and nobody acts after it has left', () => {
    const windows = new Set(
      plans.flatMap(({ actions }) => actions.map(({ day }) => Math.floor((day - planned) / WINDOW_DAYS))),
    );
    for (let window = 0; window < 3_000 / WINDOW_DAYS; window++) expect(windows).toContain(window);
    for (const { firstDay, endDay } of plans) expect(endDay).toBeGreaterThan(firstDay);
  });

  test('stop listing companies when every code is used', () => {
    const all = listingPlans({ seed: 1, tickers: 2_499, plannedDays: 30 }, days(530));
    expect(new Set(all.map(({ ticker }) => ticker)).size).toBe(2_500);
    expect(all).toHaveLength(2_500);
  });
});
