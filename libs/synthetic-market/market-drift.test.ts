import { expect, test } from 'vitest';
import type { ExchangeRows } from './exchange-rows.ts';
import { correlation, LIQUID, mean } from './market-fixture.ts';

/** Trading days. */
const MONTH = 20;

/** A company's own return in a month, without the part common to all companies, and that of the previous month. */
interface Month {
  next: number;
  past: number;
  /** Mean net buying of foreigners in the previous month, as a part of the volume. */
  bought: number;
}

const DAYS = LIQUID.flatMap(({ rows }) => rows.date.map((date, i) => ({ date, value: logReturn(rows, i) })));
const MARKET_RETURN = new Map(
  [...Map.groupBy(DAYS, ({ date }) => date)].map(([date, all]) => [
    date,
    mean(all.map(({ value }) => value)),
  ]),
);

function logReturn({ close, previous }: ExchangeRows, i: number): number {
  return Math.log(close[i]! / previous[i]!);
}

function monthsOf(rows: ExchangeRows): Month[] {
  const own = rows.date.map((date, i) => logReturn(rows, i) - MARKET_RETURN.get(date)!);
  const net = own.map((_, i) => (rows.foreign_buy[i]! - rows.foreign_sell[i]!) / (rows.volume[i]! || 1));
  return Array.from({ length: Math.floor(own.length / MONTH) - 1 }, (_, i) => {
    const [from, to] = [i * MONTH, (i + 1) * MONTH];
    return {
      next: mean(own.slice(to, to + MONTH)),
      past: mean(own.slice(from, to)),
      bought: mean(net.slice(from, to)),
    };
  });
}

/** Bounds that held for seeds 1 to 11. Without drifts both correlations are 0, and a model has nothing to learn. */
test('monthly returns correlate weakly with the return and the foreign buying of the previous month', () => {
  const months = LIQUID.flatMap(({ rows }) => monthsOf(rows));
  const withNext = (of: (month: Month) => number) =>
    correlation(
      months.map(of),
      months.map(({ next }) => next),
    );
  const [ofPast, ofBought] = [withNext(({ past }) => past), withNext(({ bought }) => bought)];
  expect(ofPast).toBeGreaterThan(0.04);
  expect(ofPast).toBeLessThan(0.2);
  expect(ofBought).toBeGreaterThan(0.15);
  expect(ofBought).toBeLessThan(0.3);
});
