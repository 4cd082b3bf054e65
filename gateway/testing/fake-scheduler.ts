import { SchedulerServiceService } from '#proto/saring/scheduler/v1/scheduler.ts';
import type { Handlers } from '#platform/grpc/server.ts';
import { answeringByExample } from '#support/message-examples.ts';

const MORNING = {
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
  last_trading_day: '2024-06-28',
  fires_after: '2024-06-28',
  held_up_by: undefined,
  last_job_id: 'job_1',
};
const UNFIRED = { ...MORNING, last_trading_day: undefined, last_job_id: undefined };

const ACCEPTED = {
  schedule_id: MORNING.id,
  trading_day: '2024-06-28',
  market: 'real',
  ts: new Date('2024-06-28T10:00:01Z'),
  outcome: 'accepted',
  job_id: 'job_1',
  reason: undefined,
};

/** Has one schedule that fired on the same day of two markets, one that is held up and one that has ended. */
export const fakeScheduler: Handlers<SchedulerServiceService> = {
  ...answeringByExample(SchedulerServiceService),
  countSchedules: async () => ({ enabled: 2, cannot_fire: 2 }),
  listFirings: async () => ({
    firings: [ACCEPTED, { ...ACCEPTED, market: 'synthetic', job_id: 'job_2' }],
  }),
  listSchedules: async () => ({
    schedules: [
      MORNING,
      { ...UNFIRED, id: 'sch_2', name: 'evening', held_up_by: 'Key key_all is disabled.' },
      {
        ...UNFIRED,
        id: 'sch_3',
        name: 'noon',
        enabled: false,
        fires_after: undefined,
        held_up_by: 'There is no key key_all.',
      },
    ],
  }),
};
