import type { RunSummary } from '#proto/saring/wire/v1/run_summary.ts';
import type { Params } from './catalogue/parameters.ts';
import { lastWeekday } from './analysis-day/analysis-date.ts';
import { endedUnbegun, isFinal } from './run-states.ts';
import type { RunRow } from './store/tables.ts';

/**
 * The parameters a run used, with the trading day it analyses: the one that was known at its submission, and once it has
 * succeeded the `as_of` of its result. While no trading day is known it is the last weekday up to what was asked for,
 * today and the pin.
 */
export function paramsUsed({ params, target_date }: RunRow): Params {
  const { analysis_date: date } = params;
  if (target_date) return { ...params, analysis_date: target_date };
  return typeof date === 'string' ? { ...params, analysis_date: lastWeekday(date) } : params;
}

/**
 * What a run came to, once it ended; one that came to nothing has no picks on the day it was to analyse, and one that was
 * never begun came to nothing on no day.
 */
export function runSummary(run: RunRow): RunSummary | undefined {
  if (!isFinal(run.status) || endedUnbegun(run)) return undefined;
  const { pick_count, tickers } = run;
  const { analysis_date: day } = paramsUsed(run);
  const target_date = typeof day === 'string' ? day : '';
  return { pick_count: pick_count ?? 0, tickers: tickers ?? [], target_date };
}

/** Seconds from one moment to another, never negative; 0 when either is missing. */
export function secondsBetween(from: Date | null, to: Date | null): number {
  return from && to ? Math.max(0, to.getTime() - from.getTime()) / 1000 : 0;
}
