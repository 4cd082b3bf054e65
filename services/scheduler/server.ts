import type { Firing, Schedule, SchedulerServiceService } from '#proto/saring/scheduler/v1/scheduler.ts';
import type { EndUserData } from '#shared/end-users/end-user-data.ts';
import { endUserHandlers } from '#shared/end-users/end-user-handlers.ts';
import type { Handlers } from '#shared/grpc/server.ts';
import { withDatabase } from '#shared/postgres/postgres-away.ts';
import type { Schedules, StandingSchedule } from './schedules.ts';
import type { FiringRow } from './store/firing-store.ts';

/** The gRPC handlers of the scheduler. While its database is away, every call fails with data_unavailable. */
export function schedulerHandlers(
  schedules: Schedules,
  endUsers: EndUserData,
): Handlers<SchedulerServiceService> {
  return {
    ...endUserHandlers(endUsers, whileThere),
    createSchedule: async (request, call) => ({
      schedule: toSchedule(await whileThere(() => schedules.create(request, call))),
    }),
    listSchedules: async (_request, call) => ({
      schedules: (await whileThere(() => schedules.list(call))).map(toSchedule),
    }),
    updateSchedule: async ({ id, ...change }, call) => ({
      schedule: toSchedule(await whileThere(() => schedules.update(id, change, call))),
    }),
    deleteSchedule: async ({ id }) => {
      await whileThere(() => schedules.delete(id));
      return {};
    },
    countSchedules: async (_request, call) => whileThere(() => schedules.count(call)),
    listFirings: async ({ schedule_id, limit }) => ({
      firings: (await whileThere(() => schedules.listFirings(schedule_id, limit))).map(toFiring),
    }),
  };
}

function whileThere<T>(work: () => Promise<T>): Promise<T> {
  const message = 'Schedules cannot be read or changed at the moment. Try again.';
  return withDatabase('data_unavailable', message, work);
}

function toSchedule(standing: StandingSchedule): Schedule {
  const { after_day: _, ended_because: __, last_trading_day, last_job_id, ...schedule } = standing;
  return {
    ...schedule,
    last_trading_day: last_trading_day ?? undefined,
    last_job_id: last_job_id ?? undefined,
  };
}

function toFiring(row: FiringRow): Firing {
  const { schedule_id, trading_day, market, noticed_at, outcome, decided_at, job_id, reason } = row;
  return {
    schedule_id,
    trading_day,
    market,
    ts: decided_at ?? noticed_at,
    outcome: outcome ?? 'waiting',
    job_id: job_id ?? undefined,
    reason: reason ?? undefined,
  };
}
