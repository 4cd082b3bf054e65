import type { ColumnType, Generated } from 'kysely';
import type { Problem } from '../sources/source.ts';

/** The state of a source, one row for each that was ever declared. */
export interface SourceTable {
  name: string;
  /** No attempt before this time. A copy that works for the source moves it forward, so that other copies leave it alone. */
  next_attempt_at: Date;
  /** Failures in a row. They make the pauses longer. */
  failures: Generated<number>;
  /** Why it waits or fails. Null while everything due is there. */
  reason: string | null;
  paused_at: Date | null;
  pause_reason: string | null;
  /** The subject that it waits for. */
  due_subject: string | null;
  last_day: string | null;
  last_published_at: Date | null;
  /** The span to catch up, and the last day of it that is done. All null if there is none. */
  catch_up_from: string | null;
  catch_up_to: string | null;
  catch_up_done: string | null;
}

/** One attempt to fetch one subject. */
export interface FetchTable {
  id: Generated<string>;
  source: string;
  subject: string;
  started_at: ColumnType<Date, Date, never>;
  ended_at: Date | null;
  outcome: 'running' | 'published' | 'unchanged' | 'failed';
  problem: Problem | null;
  reason: string | null;
  bytes: Generated<string>;
  rows: Generated<string>;
  rejected_rows: Generated<string>;
  findings: ColumnType<string[], string | undefined, string>;
  dataset_version: string | null;
  /** See `Delivery`. */
  digest: string | null;
}

export interface FeedTables {
  source: SourceTable;
  fetch: FetchTable;
}
