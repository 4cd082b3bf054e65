import { serviceRoute } from './service-route.ts';

const ofThisKey = {
  method: 'get',
  tag: 'Usage',
  access: 'usage:read',
  ofCaller: ['api_key_id'],
} as const;

/** A key's own runs. Their inputs and answers are described in usage.proto. */
export const usageRoutes = [
  serviceRoute({
    ...ofThisKey,
    path: '/api/v1/usage/events',
    operationId: 'listUsageEvents',
    rpc: ['usage', 'listEvents'],
    summary: 'List usage events',
    description:
      'Lists the model runs of the calling key, newest first. Pass `next_cursor` as `cursor`, with the ' +
      'same filters, until `has_more` is false. Runs that arrive meanwhile neither repeat an event nor ' +
      'hide one. A run appears within about two seconds after it was accepted. Other requests are ' +
      'only counted: /api/v1/usage/requests.',
    answer: 'A page of events.',
    errors: ['invalid_cursor', 'usage_unavailable'],
  }),
  serviceRoute({
    ...ofThisKey,
    path: '/api/v1/usage/events/{event_id}',
    operationId: 'getUsageEvent',
    rpc: ['usage', 'getEvent'],
    member: 'event',
    summary: 'Get a usage event',
    description: 'Returns a recorded model run. An event of another key is treated as if it did not exist.',
    unknownIdCode: 'usage_event_not_found',
    answer: 'The event.',
    errors: ['usage_event_not_found', 'usage_unavailable'],
  }),
  serviceRoute({
    ...ofThisKey,
    path: '/api/v1/usage/summary',
    operationId: 'summarizeUsage',
    rpc: ['usage', 'summarizeUsage'],
    summary: 'Summarize usage',
    description:
      'Counts the model runs of the calling key by group. Each run counts once, in its latest state. ' +
      'Groups with the most runs come first; days are ordered newest first. At most 1,000 rows. ' +
      '`total_runs` counts the runs of all groups.',
    answer: 'The counts.',
    errors: ['usage_unavailable'],
  }),
  serviceRoute({
    ...ofThisKey,
    path: '/api/v1/usage/end-users',
    operationId: 'listEndUsers',
    rpc: ['usage', 'listEndUsers'],
    summary: 'List end users',
    description:
      'Lists all end-user ids that runs of the calling key were submitted for, last seen first; ties are ' +
      'ordered by id. With `since`, counts, times and models cover only the runs from then on.',
    answer: 'The end users.',
    errors: ['usage_unavailable'],
  }),
  serviceRoute({
    ...ofThisKey,
    path: '/api/v1/usage/end-users/{end_user_id}/events',
    operationId: 'listEndUserEvents',
    rpc: ['usage', 'listEvents'],
    names: { end_user: 'end_user_id' },
    without: ['status'],
    summary: 'List usage events of an end user',
    description:
      'Lists the model runs of an end user of the calling key, newest first. The page is empty for an id ' +
      'that no run was submitted for, and for an id of another key. A value that cannot be an end-user id ' +
      'fails with `not_found`.',
    unknownIdCode: 'not_found',
    answer: 'A page of events.',
    errors: ['invalid_cursor', 'usage_unavailable'],
  }),
];

export const requestUsageRoutes = [
  serviceRoute({
    ...ofThisKey,
    path: '/api/v1/usage/requests',
    operationId: 'summarizeRequests',
    rpc: ['usage', 'summarizeRequests'],
    summary: 'Summarize requests',
    description:
      'Counts all requests of the calling key, not only runs, by operation, status and error code, with their latency and the id of ' +
      'the last one, which finds it in the logs of the operator. Requests appear within 10 seconds. Event streams are not counted, nor ' +
      'are requests whose client left before the response. A gateway that is killed loses what it has not handed over.',
    answer: 'The counts.',
    errors: ['usage_unavailable'],
  }),
];

/** The same of screens by rules. A screen by model runs a model, so that its runs are usage events. */
const SCREEN_RUNS =
  'A run of a screen by rules, and a preview, appears within seconds. The stocks that passed are never recorded. A screen by ' +
  'model is a model run, and is counted there alone.';

export const screenUsageRoutes = [
  serviceRoute({
    ...ofThisKey,
    path: '/api/v1/usage/screen-runs',
    operationId: 'listScreenRuns',
    rpc: ['usage', 'listScreenRuns'],
    summary: 'List runs of screens',
    description:
      `Lists the runs of screens by the calling key, newest first. ${SCREEN_RUNS} Pass \`next_cursor\` as \`cursor\`, with the same ` +
      'filters, until `has_more` is false.',
    answer: 'A page of runs.',
    errors: ['invalid_cursor', 'usage_unavailable'],
  }),
  serviceRoute({
    ...ofThisKey,
    path: '/api/v1/usage/screen-runs/summary',
    operationId: 'summarizeScreenRuns',
    rpc: ['usage', 'summarizeScreenRuns'],
    summary: 'Summarize runs of screens',
    description:
      'Counts the runs of screens by the calling key by group. Groups with the most runs come first; days are ordered newest first. ' +
      'At most 1,000 rows. `total_runs` counts the runs of all groups.',
    answer: 'The counts.',
    errors: ['usage_unavailable'],
  }),
];

const ofEveryKey = { method: 'get', tag: 'Admin usage', access: 'usage:admin' } as const;

/** The runs of every key and channel, for the operator. */
export const adminUsageRoutes = [
  serviceRoute({
    ...ofEveryKey,
    path: '/api/v1/admin/usage/events',
    operationId: 'listAllUsageEvents',
    rpc: ['usage', 'listAllEvents'],
    summary: 'List usage events of all keys',
    description:
      'Lists the model runs of all keys with the key and the actor of each, newest first; ties are ' +
      'ordered by event id. Pagination is the same as for `/api/v1/usage/events`, but the cursors of one ' +
      'list are not valid for the other.',
    answer: 'A page of events.',
    errors: ['invalid_cursor', 'usage_unavailable'],
  }),
  serviceRoute({
    ...ofEveryKey,
    path: '/api/v1/admin/usage/summary',
    operationId: 'summarizeAllUsage',
    rpc: ['usage', 'summarizeAllUsage'],
    summary: 'Summarize usage of all keys',
    description:
      'Counts the model runs of all keys by group, like `/api/v1/usage/summary`. An end user belongs to a ' +
      'key: with `group_by=end_user`, the same id under two keys has two rows, distinguished by ' +
      '`api_key_id`.',
    answer: 'The counts.',
    errors: ['usage_unavailable'],
  }),
  serviceRoute({
    ...ofEveryKey,
    path: '/api/v1/admin/usage/end-users',
    operationId: 'listAllEndUsers',
    rpc: ['usage', 'listAllEndUsers'],
    summary: 'List end users of all keys',
    description:
      'Lists the end users of all keys with the key that each belongs to, last seen first; ties are ' +
      'ordered by id. With `since`, counts, times and models cover only the runs from then on.',
    answer: 'The end users.',
    errors: ['usage_unavailable'],
  }),
  serviceRoute({
    ...ofEveryKey,
    path: '/api/v1/admin/usage/keys',
    operationId: 'listKeyUsage',
    rpc: ['usage', 'listKeyUsage'],
    summary: 'List usage by key',
    description:
      'Lists the keys that runs were submitted with, including deleted keys, most runs first; ties are ' +
      'ordered by id.',
    answer: 'The keys.',
    errors: ['usage_unavailable'],
  }),
  serviceRoute({
    ...ofEveryKey,
    path: '/api/v1/admin/usage/screen-runs',
    operationId: 'listAllScreenRuns',
    rpc: ['usage', 'listAllScreenRuns'],
    summary: 'List runs of screens of all keys',
    description:
      `Lists the runs of screens of all keys with the key of each, newest first. ${SCREEN_RUNS} Cursors of \`/api/v1/usage/screen-runs\` ` +
      'are not valid here.',
    answer: 'A page of runs.',
    errors: ['invalid_cursor', 'usage_unavailable'],
  }),
  serviceRoute({
    ...ofEveryKey,
    path: '/api/v1/admin/usage/screen-runs/summary',
    operationId: 'summarizeAllScreenRuns',
    rpc: ['usage', 'summarizeAllScreenRuns'],
    summary: 'Summarize runs of screens of all keys',
    description:
      'Counts the runs of screens of all keys by group. An end user belongs to a key: with `group_by=end_user`, the same id under two ' +
      'keys has two rows, distinguished by `api_key_id`.',
    answer: 'The counts.',
    errors: ['usage_unavailable'],
  }),
];
