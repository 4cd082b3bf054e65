import type { ListEventsRequest, UsageServiceService } from '#proto/saring/usage/v1/usage.ts';
import type { Handlers } from '#shared/grpc/server.ts';
import { ServiceError } from '#shared/service-error.ts';

const EVENT = {
  channel: 'api',
  end_user: 'user-42',
  model_id: 'model_f_combined',
  params: {},
  status: 'started',
  event_id: 'ue_1',
  job_id: 'job_1',
  request_id: 'req_1',
  api_key_id: 'key_all',
  actor: 'key_all',
  ts: new Date(0),
  duration_seconds: 0,
  summary: undefined,
};
const OUTCOMES = { runs: 1, succeeded: 0, failed: 0 };
const GROUP = {
  ...OUTCOMES,
  key: 'user-42',
  api_key_id: undefined,
  avg_duration_seconds: undefined,
  last_run_at: new Date(0),
};
const END_USER = {
  end_user: 'user-42',
  api_key_id: 'key_all',
  runs: 1,
  models: ['model_f_combined'],
  first_seen: new Date(0),
  last_seen: new Date(0),
};
const KEY = {
  ...OUTCOMES,
  api_key_id: 'key_all',
  end_users: 1,
  first_run_at: new Date(0),
  last_run_at: new Date(0),
};

/** One run that has begun. Records the requests for a key's events in `listed`. */
export function usageStandIn(listed: ListEventsRequest[]): Handlers<UsageServiceService> {
  const page = ({ cursor }: { cursor?: string | undefined }) => ({
    events: [EVENT],
    count: 1,
    next_cursor: cursor ? undefined : 'next',
    has_more: !cursor,
  });
  return {
    listEvents: async (request) => {
      listed.push(request);
      return page(request);
    },
    getEvent: () => {
      throw new ServiceError('usage_event_not_found', 'No such event.');
    },
    summarizeUsage: async ({ group_by }) => ({ group_by, total_runs: 1, groups: [GROUP] }),
    listEndUsers: async () => ({ end_users: [END_USER], count: 1 }),
    listAllEvents: async (request) => page(request),
    summarizeAllUsage: async ({ group_by }) => ({
      group_by,
      total_runs: 1,
      groups: [{ ...GROUP, api_key_id: 'key_all' }],
    }),
    listAllEndUsers: async () => ({ end_users: [END_USER], count: 1 }),
    listKeyUsage: async () => ({ keys: [KEY], count: 1 }),
    findUnrecorded: async () => ({ missing: [], stale: [], uptime_seconds: 0 }),
  };
}
