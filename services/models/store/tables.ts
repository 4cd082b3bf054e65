import type { Replacement } from '#screens/reasons/localised-json.ts';
import type { ColumnType, Generated, Selectable } from 'kysely';
import type { EntryBody, EntryKind } from '../record/chain.ts';
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
  /** The same in English; null in rows from before there was any. */
  error_english: Generated<string | null>;
  /** W3C trace context of its submission, for what is sent again later; null when nobody traces it. */
  traceparent: Generated<string | null>;
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
  /** How many picks it put on record; null where it recorded nothing, as the next two. */
  recorded_picks: Generated<number | null>;
  /** The entry of the record that holds them. */
  record_seq: ColumnType<string | null, number | undefined, number>;
  record_hash: Generated<string | null>;
}

interface IdempotencyKeyTable {
  api_key_id: string;
  /** Each has its own keys: what one chooses is nothing that another could come upon. */
  channel: string;
  key: string;
  /** Of the submission that the key came with; empty when none did. */
  fingerprint: string;
  /** The run that it began; null once nothing may begin one under it any more. */
  job_id: string | null;
  created_at: Date;
}

/** What became of submissions that may be repeated until they are answered. Rows are removed after an hour. */
interface SubmissionTable {
  submission_id: string;
  /** The run that it began; null once nothing may begin one under it any more. */
  job_id: string | null;
  created_at: Date;
}

/** The record of past picks: entries are added and never changed, and each is sealed with the one before. */
interface RecordEntryTable {
  seq: ColumnType<string, number, never>;
  written_at: ColumnType<Date, Date, never>;
  kind: EntryKind;
  /** Null of a version, as the next two. */
  model_id: string | null;
  api_key_id: string | null;
  job_id: string | null;
  body: ColumnType<EntryBody, string, never>;
  previous_hash: string;
  hash: string;
}

export interface BackfillTable {
  backfill_id: string;
  api_key_id: string;
  end_user: string;
  model_id: string;
  /** Without `analysis_date`. */
  params: ColumnType<Record<string, unknown>, string, never>;
  /** As asked for, YYYY-MM-DD. */
  from_day: string;
  to_day: string;
  step: string;
  /** Trading days, YYYY-MM-DD, ascending. */
  days: string[];
  status: 'running' | 'succeeded' | 'failed';
  created_at: ColumnType<Date, Date, never>;
  /** When its days were last requested, or a page last written; null before. */
  moved_at: Generated<Date | null>;
  finished_at: Generated<Date | null>;
  error_message: Generated<string | null>;
  /** The same in English; null in rows from before there was any. */
  error_english: Generated<string | null>;
  idempotency_key: string | null;
  /** Of the request that began it. */
  fingerprint: string;
}

/** A day of a backfill that was run. */
export interface BackfillPageTable {
  backfill_id: string;
  as_of: string;
  dataset_version: string | null;
  tickers: string[];
  /** Null when the run failed. */
  result_json: string | null;
  /** What of the result reads otherwise in English. */
  english: ColumnType<Replacement[], string, never>;
  error_message: string | null;
  error_english: string | null;
}

export interface ModelsTables {
  backfill: BackfillTable;
  backfill_page: BackfillPageTable;
  run: RunTable;
  idempotency_key: IdempotencyKeyTable;
  submission: SubmissionTable;
  record_entry: RecordEntryTable;
}
