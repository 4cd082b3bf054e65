import type { RunSummary } from '#proto/saring/wire/v1/run_summary.ts';
import type { Params } from '../catalogue/parameters.ts';
import { lastWeekday } from '../analysis-day/analysis-date.ts';
import { isFinal } from './run-states.ts';
import type { RunRow } from './tables.ts';

/**
 * The parameters a run used, with the trading day it analyses: the day known at submission, then the `as_of` of its
 * result once it has succeeded. If no trading day is known, it is the last weekday on or before the effective analysis
 * date.
 */
export function paramsUsed({ params, target_date }: RunRow): Params {
  const { analysis_date: date } = params;
  if (target_date) return { ...params, analysis_date: target_date };
  return typeof date === 'string' ? { ...params, analysis_date: lastWeekday(date) } : params;
}

/** The summary of an ended run. A run without success has no picks and the date it was to analyse. */
export function runSummary(run: RunRow): RunSummary | undefined {
  if (!isFinal(run.status)) return undefined;
  const { pick_count, tickers } = run;
  const { analysis_date: day } = paramsUsed(run);
  const target_date = typeof day === 'string' ? day : '';
  return { pick_count: pick_count ?? 0, tickers: tickers ?? [], target_date };
}

/** Seconds between two times, never negative; 0 if either is missing. */
export function secondsBetween(from: Date | null, to: Date | null): number {
  return from && to ? Math.max(0, to.getTime() - from.getTime()) / 1000 : 0;
}
