import type { RunSummary } from '#proto/saring/models/v1/runs.ts';
import { paramsUsed } from './params-used.ts';
import { endedUnbegun, isFinal } from './run-states.ts';
import type { RunRow } from './store/run-store.ts';

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
