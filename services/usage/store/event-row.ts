import type { RecordedStatus } from '#proto/saring/wire/v1/words.ts';

/** One recorded run in its latest state; the columns by name. */
export interface LedgerEvent {
  event_id: string;
  ts: Date;
  channel: string;
  actor: string;
  api_key_id: string;
  end_user: string;
  model_id: string;
  params: Record<string, unknown>;
  status: string;
  duration_seconds: number;
  /** Null unless the run succeeded. */
  pick_count: number | null;
  tickers: string[];
  target_date: string | null;
  job_id: string;
  request_id: string;
}

/** What is selected for a LedgerEvent. */
export const EVENT_COLUMNS = `event_id, toUnixTimestamp64Milli(ts) AS ts_ms, channel, actor, api_key_id, end_user,
  model_id, params, status, duration_seconds, pick_count, tickers, target_date, job_id, request_id`;

/** How it arrives as JSON. */
export type EventRow = Omit<LedgerEvent, 'ts' | 'params'> & { ts_ms: number; params: string };

export function toLedgerEvent({ ts_ms, params, ...event }: EventRow): LedgerEvent {
  return { ...event, ts: new Date(ts_ms), params: JSON.parse(params) as Record<string, unknown> };
}

export type RunStatus = RecordedStatus;

/** The version that the row of each status has in the ledger: the row with the highest one counts. */
export const STATE_VERSION = { started: 1, succeeded: 2, failed: 2, interrupted: 2 } satisfies Record<
  RunStatus,
  number
>;

export function isRunStatus(text: string): text is RunStatus {
  return Object.hasOwn(STATE_VERSION, text);
}
