import { isoFromEpochDay, epochDayFromIso } from '#foundation/iso-day.ts';
import { panelOf, type BarFixture } from '../panel/panel-fixture.ts';
import type { Barriers } from '../labels/triple-barrier.ts';
import { Accounts } from './accounts.ts';
import { Journal } from './journal.ts';
import { OrderOutcomes, type OrderRules } from './order-outcomes.ts';
import { asPicked, picksOf } from './picks.ts';
import { SimulatedMarket } from './simulated-market.ts';

const BARRIERS: Barriers = { targetGain: 0.1, stopLoss: 0.05, horizonDays: 5 };
const RULES = { capitalIdr: 10_000_000, maxPositions: 2, positionShare: 0.5, volumeShare: 0.1 };
/** The first day of books that name no dates: a Monday. Every day is a trading day. */
const DAY_0 = epochDayFromIso('2024-01-01');

/** A day of a stock: its range and close, how many shares are traded at which average price, and the price factor of the day. */
export interface Day {
  low?: number;
  high?: number;
  close: number;
  volume?: number;
  average?: number;
  factor?: number;
}

/**
 * The bars of a stock, whose reference price is the close before, restated.
 * @param dates its trading days, YYYY-MM-DD
 */
export function stock(ticker: string, days: readonly Day[], dates?: readonly string[]): BarFixture[] {
  return days.map(({ close, volume = 1_000_000, factor = 1, ...day }, at) => ({
    ticker,
    date: dates?.[at] ?? isoFromEpochDay(DAY_0 + at),
    close,
    high: Math.max(close, day.high ?? close),
    low: Math.min(close, day.low ?? close),
    previous: (days[at - 1]?.close ?? close) * factor,
    volume,
    value: volume * (day.average ?? close),
    factor,
    share_factor: factor,
  }));
}

/** What an account writes down that follows picks, given as tickers by day. */
export function followed(
  bars: readonly BarFixture[],
  picks: Record<number, string[]>,
  given: Partial<typeof RULES> & Pick<OrderRules, 'countsImpossible'> = {},
) {
  const panel = panelOf(bars);
  const market = new SimulatedMarket(panel, { firstDay: 0, lastDay: panel.dayCount - 1 });
  const ofDays = picksOf(
    Object.entries(picks).map(([day, tickers]) => ({
      day: Number(day),
      stocks: tickers.map((ticker) => panel.tickerIndex(ticker)),
    })),
  );
  const journal = new Journal();
  const rules = { ...RULES, ...given };
  const outcomes = new OrderOutcomes(market, ofDays, { barriers: BARRIERS, ...rules });
  const accounts = new Accounts(market, outcomes, rules, [rules.capitalIdr]);
  const [end] = accounts.follow(ofDays, asPicked(ofDays), [journal]);
  return { end: end!, journal };
}
