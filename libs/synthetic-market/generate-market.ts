import { company } from './company.ts';
import type { ExchangeRows } from './exchange-rows.ts';
import { listingPlans, SECTORS } from './listing-plan.ts';
import { marketPath } from './market-path.ts';
import { CompanySimulation } from './simulate-company.ts';
import { epochDayFromIso, isoFromEpochDay } from '#quant/panel/iso-day.ts';

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

/**
 * An invented market with the habits of the real one: regimes, market and sector factors, drifts that last weeks, fat tails,
 * clustered volatility, ticks, lots, auto-rejection, suspensions, corporate actions, listings and delistings. Yields one
 * company at a time, by ascending code. Nothing in it is real.
 */
export function* generateMarket(options: SyntheticMarketOptions): Generator<SyntheticTicker> {
  const { seed, tickers = 300, days = 1_000, lastDate = DEFAULT_LAST_DATE } = options;
  requireWhole('seed', seed, 0, 0xffff_ffff);
  requireWhole('tickers', tickers, 1, Infinity);
  requireWhole('days', days, 30, 10_000);
  const dates = tradingCalendar(days, lastDate);
  const path = marketPath(seed, days, SECTORS.length);
  for (const plan of listingPlans(seed, tickers, dates)) {
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

function requireWhole(name: string, value: number, min: number, max: number): void {
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new RangeError(`${name} must be a whole number from ${min} to ${max}, got ${value}`);
  }
}

/** National holidays with a fixed date, and the last day of the year, on which the exchange never opens. */
const FIXED_CLOSURES = new Set(['01-01', '05-01', '06-01', '08-17', '12-25', '12-31']);

/** 1 Syawal 1447 H. The feast returns every twelve lunar months. */
const LEBARAN_EPOCH_DAY = epochDayFromIso('2026-03-20');
const LUNAR_YEAR_DAYS = 354.367;

/**
 * The last `count` trading days of the invented market up to `lastDate` (ISO), ascending: weekdays without the fixed holidays
 * and the week of Lebaran. Close to the real calendar, but not equal to it.
 */
export function tradingCalendar(count: number, lastDate: string): string[] {
  const dates: string[] = [];
  for (let epochDay = epochDayFromIso(lastDate); dates.length < count; epochDay--) {
    const isoDate = isoFromEpochDay(epochDay);
    if (isOpen(epochDay, isoDate)) dates.push(isoDate);
  }
  return dates.reverse();
}

function isOpen(epochDay: number, isoDate: string): boolean {
  const monday = mondayOf(epochDay);
  if (epochDay - monday > 4 || FIXED_CLOSURES.has(isoDate.slice(5))) return false;
  const feast = Math.round((monday - LEBARAN_EPOCH_DAY) / LUNAR_YEAR_DAYS);
  return mondayOf(LEBARAN_EPOCH_DAY + Math.round(feast * LUNAR_YEAR_DAYS)) !== monday;
}

/** 1970-01-01 was a Thursday. */
function mondayOf(epochDay: number): number {
  return epochDay - ((epochDay + 3) % 7);
}
