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
  /** The newest trading day that was considered or need not be, YYYY-MM-DD: only later ones can make it due. */
  after_day: string;
}

export interface FiringTable {
  schedule_id: string;
  trading_day: string;
  /** The schedule's when it was due: an attempt that is repeated must ask for the same run. */
  params: Json;
  noticed_at: ColumnType<Date, Date, never>;
  /** Null while it waits. */
  outcome: Generated<'accepted' | 'refused' | null>;
  decided_at: Generated<Date | null>;
  job_id: Generated<string | null>;
  reason: Generated<string | null>;
  first_attempt_at: Generated<Date | null>;
  /** Not tried before; a process that tries moves it on first, so that others leave the firing alone. */
  next_attempt_at: Date;
}

export interface SchedulerTables {
  schedule: ScheduleTable;
  firing: FiringTable;
}
