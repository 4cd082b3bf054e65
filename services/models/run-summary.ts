import type { RunSummary } from '#proto/saring/models/v1/runs.ts';
import type { RunRow } from './store/run-store.ts';

/** What a run came to, once it succeeded. */
export function runSummary({ status, pick_count, tickers, target_date }: RunRow): RunSummary | undefined {
  if (status !== 'succeeded') return undefined;
  return { pick_count: pick_count ?? 0, tickers: tickers ?? [], target_date: target_date ?? '' };
}
