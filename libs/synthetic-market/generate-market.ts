import { company } from './company.ts';
import type { ExchangeRows } from './exchange-rows.ts';
import { listingPlans, SECTORS, type PlannedMarket } from './listing-plan.ts';
import { marketPath } from './market-path.ts';
import { CompanySimulation } from './simulate-company.ts';
import { tradingCalendar } from './trading-calendar.ts';

/** A constant instead of today, so that the same seed gives the same bytes on every machine and every day. */
export const DEFAULT_LAST_DATE = '2026-09-30';

export interface SyntheticMarketOptions {
  /** A whole number, 0 to 2^32 - 1. */
  seed: number;
  tickers?: number;
  /** Trading days, at least 30. */
  days?: number;
  /** ISO date. The market ends on the last trading day on or before it. */
  lastDate?: string;
}

/** One invented company with its rows as the exchange would publish them, prices not adjusted. */
export interface SyntheticTicker {
  ticker: string;
  name: string;
  sector: string;
  board: string;
  /** ISO date. */
  listing_date: string;
  rows: ExchangeRows;
}

/** A market of `days` trading days that ends on the last one on or before `lastDate`. */
export function generateMarket(options: SyntheticMarketOptions): Generator<SyntheticTicker> {
  const { seed, tickers = 300, days = 1_000, lastDate = DEFAULT_LAST_DATE } = options;
  const market = { seed, tickers, plannedDays: days };
  requirePlannable(market);
  return generateMarketOn(market, tradingCalendar(days, lastDate));
}

/**
 * An invented market with the habits of the real one: regimes, market and sector factors, drifts that last weeks, fat tails,
 * clustered volatility, ticks, lots, auto-rejection, suspensions, corporate actions, listings and delistings. Yields one
 * company at a time, by ascending code. Nothing in it is real.
 *
 * A market goes on: the same market on `dates` with more days at their end begins with exactly the same rows.
 */
export function* generateMarketOn(
  market: PlannedMarket,
  dates: readonly string[],
): Generator<SyntheticTicker> {
  requirePlannable(market);
  const { seed } = market;
  const path = marketPath(seed, dates.length, SECTORS.length);
  for (const plan of listingPlans(market, dates)) {
    yield {
      ticker: plan.ticker,
      name: plan.name,
      sector: plan.sector,
      board: plan.board,
      listing_date: plan.listedOn,
      rows: new CompanySimulation(seed, company(seed, plan), path, dates).run(),
    };
  }
}

function requirePlannable({ seed, tickers, plannedDays }: PlannedMarket): void {
  requireWhole('seed', seed, 0, 0xffff_ffff);
  requireWhole('tickers', tickers, 1, Infinity);
  requireWhole('days', plannedDays, 30, 10_000);
}

function requireWhole(name: string, value: number, min: number, max: number): void {
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new RangeError(`${name} must be a whole number from ${min} to ${max}, got ${value}`);
  }
}
