import type { SchedulerServiceService } from '#proto/saring/scheduler/v1/scheduler.ts';
import type { Handlers } from '#shared/grpc/server.ts';
import { notNeeded } from './not-needed.ts';

/** Has one schedule, which has never fired. */
export const schedulerStandIn: Handlers<SchedulerServiceService> = {
  createSchedule: notNeeded,
  updateSchedule: notNeeded,
  deleteSchedule: notNeeded,
  countSchedules: async () => ({ enabled: 1, cannot_fire: 1 }),
  listFirings: async () => ({ firings: [] }),
  listSchedules: async () => ({
    schedules: [
      {
        id: 'sch_1',
        name: 'morning',
        api_key_id: 'key_all',
        end_user: 'user-42',
        model_id: 'model_f_combined',
        params: undefined,
        view: 'full',
        calendar: 'daily',
        enabled: true,
        created_at: new Date('2024-06-28T10:00:00Z'),
        last_trading_day: undefined,
        fires_after: '2026-09-30',
        held_up_by: undefined,
        last_job_id: undefined,
      },
    ],
  }),
};
