import type { ColumnType, Generated, Selectable } from 'kysely';
import type { RunState, UsageState } from '../run-states.ts';

export type RunRow = Selectable<RunTable>;

interface RunTable {
  job_id: string;
  event_id: string;
  api_key_id: string;
  end_user: string;
  channel: string;
  /** Null for the key itself, in rows of processes that know of no actors. */
  actor: string | null;
  model_id: string;
  view: string;
  params: ColumnType<Record<string, unknown>, string, never>;
  request_id: string;
  status: RunState;
  created_at: ColumnType<Date, Date, never>;
  started_at: Generated<Date | null>;
  finished_at: Generated<Date | null>;
  dataset_version: Generated<string | null>;
  pick_count: Generated<number | null>;
  tickers: Generated<string[] | null>;
  /** The trading day it is to analyse, then the one it analysed; null while none is known. */
  target_date: Generated<string | null>;
  error_message: Generated<string | null>;
  /** The run reads a dataset that has this trading day, YYYY-MM-DD; null when any will do. */
  trading_day: Generated<string | null>;
  /** When the stream RUNS last took the request; null while it never has. */
  requested_at: Generated<Date | null>;
  /** What the ledger must know of the run, computed from its status. */
  usage_due: ColumnType<UsageState, never, never>;
  /** What the stream USAGE has taken of the run; null while nothing. */
  usage_published: Generated<UsageState | null>;
  /** When its caller first cancelled it. */
  cancelled_at: Generated<Date | null>;
  /** When the streams learnt that no worker must take it; of a run that was cancelled before it started. */
  withdrawn_at: Generated<Date | null>;
  /** Which signal workers still need for a cancelled run, computed from the rest. */
  cancel_due: ColumnType<'stop' | 'withdraw' | null, never, never>;
}

interface IdempotencyKeyTable {
  api_key_id: string;
  /** Each has its own keys: what one chooses is nothing that another could come upon. */
  channel: string;
  key: string;
  /** Of the submission that the key came with. */
  fingerprint: string;
  /** The run that it began. */
  job_id: string;
  created_at: Date;
}

/** What became of submissions that may be repeated until they are answered. Rows are removed after an hour. */
interface SubmissionTable {
  submission_id: string;
  /** The run that it began; null once nothing may begin one under it any more. */
  job_id: string | null;
  created_at: Date;
}

export interface ModelsTables {
  run: RunTable;
  idempotency_key: IdempotencyKeyTable;
  submission: SubmissionTable;
}
