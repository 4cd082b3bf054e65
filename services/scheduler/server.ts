import type { Firing, Schedule, SchedulerServiceService } from '#proto/saring/scheduler/v1/scheduler.ts';
import type { Handlers } from '#platform/grpc/server.ts';
import { allWithDatabase, withDatabase } from '#platform/postgres/postgres-unavailable.ts';
import { withoutNulls } from '#shared/without-nulls.ts';
import type { Schedules, StandingSchedule } from './schedules.ts';
import type { FiringRow } from './store/firing-store.ts';

const UNAVAILABLE = 'Schedules cannot be read or changed at the moment. Try again.';
/** While the database is unavailable, work fails with data_unavailable. */
export const whileThere = <T>(work: () => Promise<T>) => withDatabase('data_unavailable', UNAVAILABLE, work);

/** The gRPC handlers of the scheduler. While its database is unavailable, every call fails with data_unavailable. */
export function schedulerHandlers(schedules: Schedules): Handlers<SchedulerServiceService> {
  return allWithDatabase<Handlers<SchedulerServiceService>>('data_unavailable', UNAVAILABLE, {
    createSchedule: async (request, call) => ({
      schedule: toSchedule(await schedules.create(request, call)),
    }),
    listSchedules: async (_request, call) => ({
      schedules: (await schedules.list(call)).map(toSchedule),
    }),
    updateSchedule: async ({ id, ...change }, call) => ({
      schedule: toSchedule(await schedules.update(id, change, call)),
    }),
    deleteSchedule: async ({ id }) => {
      await schedules.delete(id);
      return {};
    },
    countSchedules: async (_request, call) => schedules.count(call),
    listFirings: async ({ schedule_id, limit }) => ({
      firings: (await schedules.listFirings(schedule_id, limit)).map(toFiring),
    }),
  });
}

function toSchedule({ after_day: _, ended_because: __, ...schedule }: StandingSchedule): Schedule {
  return withoutNulls(schedule);
}

function toFiring({ params: _, outcome, decided_at, noticed_at, ...firing }: FiringRow): Firing {
  return { ...withoutNulls(firing), ts: decided_at ?? noticed_at, outcome: outcome ?? 'waiting' };
}
