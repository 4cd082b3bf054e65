import type { ColumnType, Generated } from 'kysely';
import type { OutboxTables } from '#platform/postgres/outbox.ts';
import type { Problem } from '../deliveries/source-failure.ts';

/** The state of a source, one row for each that was ever declared. */
export interface SourceTable {
  name: string;
  next_attempt_at: Date;
  /** When an operator last asked for it or resumed it. Failures before that delay no attempt. */
  asked_at: Generated<Date | null>;
  /** Until when a copy works for the source, unless it renews this. Null while none does. */
  leased_until: Generated<Date | null>;
  /** Failures in a row. They make the pauses longer. */
  failures: Generated<number>;
  /** Why it waits or fails. Null while everything due is there. */
  reason: Generated<string | null>;
  paused_at: Generated<Date | null>;
  pause_reason: Generated<string | null>;
  /** The subject that it waits for. */
  due_subject: Generated<string | null>;
  last_day: Generated<string | null>;
  last_published_at: Generated<Date | null>;
  /** The span to catch up, and the last day of it that is done. All null if there is none. */
  catch_up_from: Generated<string | null>;
  catch_up_to: Generated<string | null>;
  catch_up_done: Generated<string | null>;
}

export interface FetchTable {
  id: Generated<string>;
  source: string;
  subject: string;
  started_at: ColumnType<Date, Date, never>;
  ended_at: Generated<Date | null>;
  outcome: 'running' | 'published' | 'unchanged' | 'failed';
  problem: Generated<Problem | null>;
  reason: Generated<string | null>;
  bytes: Generated<string>;
  rows: Generated<string>;
  rejected_rows: Generated<string>;
  findings: ColumnType<string[], string | undefined, string>;
  dataset_version: Generated<string | null>;
  /** See `Delivery`. */
  digest: Generated<string | null>;
}

/** A trading day of a market that applications were told is late. */
interface LateDayTable {
  market: string;
  day: string;
  told_at: Date;
}

export interface FeedTables extends OutboxTables {
  source: SourceTable;
  fetch_log: FetchTable;
  late_day: LateDayTable;
}
