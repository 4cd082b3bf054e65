import type { ColumnType, Generated } from 'kysely';
import type { Calendar } from '#proto/saring/wire/v1/words.ts';

type Json = ColumnType<Record<string, unknown>, string, string>;

export interface ScheduleTable {
  id: string;
  name: string;
  api_key_id: string;
  end_user: string;
  model_id: string;
  params: Json;
  view: string;
  calendar: Calendar;
  enabled: boolean;
  created_at: ColumnType<Date, Date, never>;
  /**
   * The newest trading day that was considered or could be ignored when schedules had one place for all markets. Processes of
   * the previous version go by it, and the first place of a schedule that has none is taken from it.
   */
  after_day: string;
  /** Why the scheduler disabled it; null if it did not, and once the operator enables or disables it. */
  ended_because: Generated<string | null>;
}

/** How far a schedule has come in a market. */
export interface SchedulePlaceTable {
  schedule_id: string;
  /** `real` or `synthetic`. */
  market: string;
  /** The newest trading day that was considered or can be ignored, YYYY-MM-DD. Only later days can make the schedule due. */
  after_day: string;
  /** Since when the served market ends before that day. Null while it does not. */
  behind_since: Generated<Date | null>;
}

export interface FiringTable {
  schedule_id: string;
  /** The market of the day. */
  market: string;
  trading_day: string;
  /** The schedule's parameters when it was due: a repeated attempt must ask for the same run. */
  params: Json;
  noticed_at: ColumnType<Date, Date, never>;
  /** Null while the firing is pending. */
  outcome: Generated<'accepted' | 'refused' | null>;
  decided_at: Generated<Date | null>;
  job_id: Generated<string | null>;
  reason: Generated<string | null>;
  first_attempt_at: Generated<Date | null>;
  /** No attempt before this time. A process moves it forward before its attempt, so that other processes skip the firing. */
  next_attempt_at: Date;
}

export interface SchedulerTables {
  schedule: ScheduleTable;
  schedule_place: SchedulePlaceTable;
  firing: FiringTable;
}
