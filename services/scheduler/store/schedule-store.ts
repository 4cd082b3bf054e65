import { sql, type Insertable, type Kysely, type Selectable } from 'kysely';
import type { Calendar } from '#proto/saring/wire/v1/words.ts';
import type { ScheduleTable, SchedulerTables } from './tables.ts';

type NewSchedule = Insertable<ScheduleTable>;

/** A schedule with the newest trading day on which it was due. */
export type ScheduleRow = Selectable<ScheduleTable> & {
  last_trading_day: string | null;
  last_job_id: string | null;
};

/** The fields to change; undefined fields keep their value. */
interface ScheduleChange {
  name?: string | undefined;
  calendar?: Calendar | undefined;
  params?: Record<string, unknown> | undefined;
}

const DISABLED = 'The schedule was disabled before its run was confirmed.';

export class ScheduleStore {
  readonly #db: Kysely<SchedulerTables>;

  constructor(db: Kysely<SchedulerTables>) {
    this.#db = db;
  }

  async insert(schedule: NewSchedule): Promise<ScheduleRow> {
    const row = await this.#db
      .insertInto('schedule')
      .values(schedule)
      .returningAll()
      .executeTakeFirstOrThrow();
    return { ...row, last_trading_day: null, last_job_id: null };
  }

  /** Every schedule, oldest first. */
  list(): Promise<ScheduleRow[]> {
    return this.#withLast().orderBy('created_at').orderBy('id').execute();
  }

  find(id: string): Promise<ScheduleRow | undefined> {
    return this.#withLast().where('id', '=', id).executeTakeFirst();
  }

  async change(id: string, { params, ...change }: ScheduleChange): Promise<void> {
    const set = { ...change, params: params && JSON.stringify(params) };
    if (Object.values(set).every((value) => value === undefined)) return;
    await this.#db.updateTable('schedule').set(set).where('id', '=', id).execute();
  }

  /** Enables a schedule. Days up to `newestDay` cannot make it due. A schedule that is already enabled is unchanged. */
  async enable(id: string, newestDay: string): Promise<void> {
    await this.#db
      .updateTable('schedule')
      .set({ enabled: true, after_day: newestDay })
      .where('id', '=', id)
      .where('enabled', '=', false)
      .execute();
  }

  /** Disables a schedule and gives up its pending firings. */
  async disable(id: string, at: Date): Promise<void> {
    await this.#db
      .with('disabled', (db) =>
        db.updateTable('schedule').set({ enabled: false }).where('id', '=', id).returning('id'),
      )
      .updateTable('firing')
      .set({ outcome: 'refused', decided_at: at, reason: DISABLED })
      .where('outcome', 'is', null)
      .where('schedule_id', 'in', (db) => db.selectFrom('disabled').select('id'))
      .execute();
  }

  /** Deletes a schedule and its pending firings; decided firings stay. False when there is no such schedule. */
  async delete(id: string): Promise<boolean> {
    const { rows } = await sql<{ id: string }>`
      with waiting as (delete from firing where schedule_id = ${id} and outcome is null)
      delete from schedule where id = ${id} returning id`.execute(this.#db);
    return rows.length > 0;
  }

  #withLast() {
    return this.#db
      .selectFrom('schedule')
      .leftJoinLateral(
        (db) =>
          db
            .selectFrom('firing')
            .select(['trading_day as last_trading_day', 'job_id as last_job_id'])
            .whereRef('firing.schedule_id', '=', 'schedule.id')
            .orderBy('trading_day', 'desc')
            .limit(1)
            .as('last'),
        (join) => join.onTrue(),
      )
      .selectAll('schedule')
      .select(['last_trading_day', 'last_job_id']);
  }
}
