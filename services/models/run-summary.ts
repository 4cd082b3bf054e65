import type { RunSummary } from '#proto/saring/models/v1/runs.ts';
import type { Params } from './catalogue/parameters.ts';
import { endedUnbegun, isFinal } from './run-states.ts';
import type { RunRow } from './store/tables.ts';

/**
 * The parameters a run used, with its analysis date as it took effect. Which trading day that is, the dataset decides:
 * once the run has succeeded it is the day that was analysed, the `as_of` of its result. Until then, and of a run that
 * came to nothing, it is the day as accepted: what was asked for, but no later than today and the pin.
 */
export function paramsUsed({ params, target_date }: RunRow): Params {
  return target_date ? { ...params, analysis_date: target_date } : params;
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
