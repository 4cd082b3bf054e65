import type { Replacement } from '#models/reasons/localised-json.ts';
import type { OutboxTables } from '#platform/postgres/outbox.ts';
import type { ColumnType, Generated, Selectable } from 'kysely';
import type { EntryBody, EntryKind } from './record-chain.ts';
import type { RunState, UsageState } from './run-states.ts';

export type RunRow = Selectable<RunTable>;

interface RunTable {
  job_id: string;
  event_id: string;
  api_key_id: string;
  end_user: string;
  channel: string;
  /** Null means the key itself, in rows of older processes that do not write this column. */
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
  /** Null also in rows that ended before this column existed. */
  dataset_kind: Generated<string | null>;
  pick_count: Generated<number | null>;
  tickers: Generated<string[] | null>;
  /** The trading day it will analyse, then the one it analysed; null while unknown. */
  target_date: Generated<string | null>;
  /** One of `RUN_ERROR_CODES`; null if it succeeded, and in rows that ended before this column existed. */
  error_code: Generated<string | null>;
  error_message: Generated<string | null>;
  /** The message in English; null in rows written before this column existed. */
  error_english: Generated<string | null>;
  /** W3C trace context of the submission, used when a message is sent again later; null if it is not traced. */
  traceparent: Generated<string | null>;
  /** The run must read a dataset that includes this trading day, YYYY-MM-DD; null if any dataset will do. */
  trading_day: Generated<string | null>;
  /** When the stream RUNS last accepted the request; null if never. */
  requested_at: Generated<Date | null>;
  /** The state that the ledger must know, computed from the status. */
  usage_due: ColumnType<UsageState, never, never>;
  /** The last state that the stream USAGE accepted; null if none. */
  usage_published: Generated<UsageState | null>;
  /** When the caller first cancelled the run. */
  cancelled_at: Generated<Date | null>;
  /** When the streams were updated so that no worker takes the run. Only for runs cancelled before they started. */
  withdrawn_at: Generated<Date | null>;
  /** The signal that workers still need for a cancelled run, computed from the other columns. */
  cancel_due: ColumnType<'stop' | 'withdraw' | null, never, never>;
  /** The number of picks it put on record; null if it recorded nothing, as are the next two. */
  recorded_picks: Generated<number | null>;
  /** The entry of the record with these picks. */
  record_seq: ColumnType<string | null, number | undefined, number>;
  record_hash: Generated<string | null>;
  /** SimulatedPicks; null for runs of models. */
  picks: ColumnType<Buffer | null, Buffer | undefined, never>;
}

interface IdempotencyKeyTable {
  api_key_id: string;
  /** Channels do not share keys, so that a key chosen in one cannot collide with a key in another. */
  channel: string;
  key: string;
  /** Fingerprint of the submission that came with the key; empty if none did. */
  fingerprint: string;
  /** The run that it started; null once the key is closed, so that no run can start under it. */
  job_id: string | null;
  created_at: Date;
}

/** Results of submissions, which callers may repeat until they get a response. Rows are removed after an hour. */
interface SubmissionTable {
  submission_id: string;
  /** The run that it started; null once the id is refused, so that no run can start under it. */
  job_id: string | null;
  created_at: Date;
}

/** The record of past picks. Entries are added and never changed; each is sealed with the previous one. */
interface RecordEntryTable {
  seq: ColumnType<string, number, never>;
  written_at: ColumnType<Date, Date, never>;
  kind: EntryKind;
  /** Null for a version, as are the next two. */
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
  /** As requested, YYYY-MM-DD. */
  from_day: string;
  to_day: string;
  step: string;
  /** Trading days, YYYY-MM-DD, ascending. */
  days: string[];
  status: 'running' | 'succeeded' | 'failed';
  created_at: ColumnType<Date, Date, never>;
  /** When its days were last requested or a page was last written; null before. */
  moved_at: Generated<Date | null>;
  finished_at: Generated<Date | null>;
  error_message: Generated<string | null>;
  /** The message in English; null in rows written before this column existed. */
  error_english: Generated<string | null>;
  idempotency_key: string | null;
  /** Fingerprint of the request that started it. */
  fingerprint: string;
}

/** One completed day of a backfill. */
export interface BackfillPageTable {
  backfill_id: string;
  as_of: string;
  dataset_version: string | null;
  tickers: string[];
  /** Null if the run failed. */
  result_json: string | null;
  /** The parts of the result that differ in English. */
  english: ColumnType<Replacement[], string, never>;
  error_message: string | null;
  error_english: string | null;
}

/** The result of a daily run that market-data has not stored yet. */
export interface DailyResultTable {
  job_id: string;
  /** StoreModelResultRequest. */
  request: Buffer;
  ended_at: Date;
}

export interface ModelsTables extends OutboxTables {
  backfill: BackfillTable;
  backfill_page: BackfillPageTable;
  run: RunTable;
  idempotency_key: IdempotencyKeyTable;
  submission: SubmissionTable;
  record_entry: RecordEntryTable;
  daily_result: DailyResultTable;
}
