import { sql, type Kysely, type Selectable } from 'kysely';
import { erasureOf, storedItem, type EndUserData } from '#shared/end-users/end-user-data.ts';
import { belongsTo, rowsOfEndUser } from '#shared/end-users/end-user-rows.ts';
import type { SchedulerTables, ScheduleTable } from './tables.ts';

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
