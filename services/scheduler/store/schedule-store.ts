import { sql, type Insertable, type Kysely, type Selectable } from 'kysely';
import type { Calendar } from '#proto/saring/wire/v1/words.ts';
import { erasureOf, storedItem, type EndUserData } from '#shared/end-users/end-user-data.ts';
import { belongsTo, rowsOfEndUser } from '#shared/end-users/end-user-rows.ts';
import type { ServedMarket } from '#shared/market/newest-trading-day.ts';
import type { SchedulePlaceTable, ScheduleTable, SchedulerTables } from './tables.ts';

/** A schedule with the newest trading day on which it was due. */
export type ScheduleRow = Selectable<ScheduleTable> & {
  last_trading_day: string | null;
  last_job_id: string | null;
};

/** How far a schedule has come in a market. */
export type Place = Pick<Selectable<SchedulePlaceTable>, 'after_day' | 'behind_since'>;

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

  /** Inserts a schedule that fires on days of the served market after its newest. */
  async insert(
    schedule: Omit<Insertable<ScheduleTable>, 'after_day'>,
    { market, day }: ServedMarket,
  ): Promise<ScheduleRow> {
    return this.#db.transaction().execute(async (tx) => {
      const values = { ...schedule, after_day: day };
      const row = await tx.insertInto('schedule').values(values).returningAll().executeTakeFirstOrThrow();
      await tx.insertInto('schedule_place').values({ schedule_id: row.id, market, after_day: day }).execute();
      return { ...row, last_trading_day: null, last_job_id: null };
    });
  }

  /** How far each schedule has come in a market, by its id. */
  async places(market: string): Promise<Map<string, Place>> {
    const rows = await this.#db
      .selectFrom('schedule_place')
      .select(['schedule_id', 'after_day', 'behind_since'])
      .where('market', '=', market)
      .execute();
    return new Map(rows.map(({ schedule_id, ...place }) => [schedule_id, place]));
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

  /**
   * Enables a schedule. Days that a market already has cannot make it due: its places are taken anew. A schedule that is already
   * enabled is unchanged.
   */
  async enable(id: string, { market, day }: ServedMarket): Promise<void> {
    await this.#db.transaction().execute(async (tx) => {
      const enabled = await tx
        .updateTable('schedule')
        .set({ enabled: true, ended_because: null })
        .where('id', '=', id)
        .where('enabled', '=', false)
        .returning('id')
        .executeTakeFirst();
      if (!enabled) return;
      await tx.deleteFrom('schedule_place').where('schedule_id', '=', id).execute();
      await tx.insertInto('schedule_place').values({ schedule_id: id, market, after_day: day }).execute();
    });
  }

  /** Disables a schedule and gives up its pending firings. One that had ended is then merely disabled: somebody has seen it. */
  async disable(id: string, at: Date): Promise<void> {
    const change = { enabled: false, ended_because: null };
    await this.#db
      .with('disabled', (db) => db.updateTable('schedule').set(change).where('id', '=', id).returning('id'))
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
            .orderBy('noticed_at', 'desc')
            .orderBy('trading_day', 'desc')
            .limit(1)
            .as('last'),
        (join) => join.onTrue(),
      )
      .selectAll('schedule')
      .select(['last_trading_day', 'last_job_id']);
  }
}

const KIND = 'schedules';

/** The schedules that run for an end user, with all their firings. */
export function endUserSchedules(db: Kysely<SchedulerTables>): EndUserData {
  return {
    async *stored(of) {
      const schedules = rowsOfEndUser<Selectable<ScheduleTable>>(db, { table: 'schedule', id: 'id' }, of);
      for await (const schedule of schedules) {
        const firings = await db
          .selectFrom('firing')
          .selectAll()
          .where('schedule_id', '=', schedule.id)
          .orderBy('noticed_at')
          .execute();
        yield storedItem(KIND, { ...schedule, firings });
      }
    },
    erase: async (of) => {
      const { rows } = await sql`
        with erased as (delete from schedule where ${belongsTo(of)} returning id),
        fired as (delete from firing where schedule_id in (select id from erased))
        select id from erased`.execute(db);
      return erasureOf({ [KIND]: rows.length });
    },
  };
}
