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
    summary: 'Model runs of this key',
    description:
      'Newest first. Pass `next_cursor` as `cursor`, with the same filters, until `has_more` is false; runs that ' +
      'arrive meanwhile neither repeat an event nor hide one. A run appears within about two seconds of its ' +
      'acceptance. Market-data reads are not recorded.',
    answer: 'A page of events.',
    errors: ['invalid_cursor', 'usage_unavailable'],
  }),
  serviceRoute({
    ...ofThisKey,
    path: '/api/v1/usage/events/{event_id}',
    operationId: 'getUsageEvent',
    rpc: ['usage', 'getEvent'],
    member: 'event',
    summary: 'One recorded run',
    description: 'An event of another key is answered as if it did not exist.',
    unknownIdCode: 'usage_event_not_found',
    answer: 'The event.',
    errors: ['usage_event_not_found', 'usage_unavailable'],
  }),
  serviceRoute({
    ...ofThisKey,
    path: '/api/v1/usage/summary',
    operationId: 'summarizeUsage',
    rpc: ['usage', 'summarizeUsage'],
    summary: 'Runs of this key, counted',
    description:
      'Each run counts once, in its latest state. Rows with most runs come first, days in their order, newest ' +
      'first. At most 1,000 rows; `total_runs` counts the runs of all.',
    answer: 'The counts.',
    errors: ['usage_unavailable'],
  }),
  serviceRoute({
    ...ofThisKey,
    path: '/api/v1/usage/end-users',
    operationId: 'listEndUsers',
    rpc: ['usage', 'listEndUsers'],
    summary: 'End users of this key',
    description:
      'Every id that runs were submitted for, last seen first, ties by id. With `since`, counts, moments and models ' +
      'are of the runs from then on.',
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
    summary: 'Model runs of one end user',
    description:
      'The events of this end user of this key, newest first. An id that no run was submitted for has an empty page, ' +
      'as has an id of another key; what cannot be an end-user id is not_found.',
    unknownIdCode: 'not_found',
    answer: 'A page of events.',
    errors: ['invalid_cursor', 'usage_unavailable'],
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
    summary: 'Model runs of every key',
    description:
      'Newest first, ties by event id, with the key and the actor of each. Pages as `/api/v1/usage/events`; cursors ' +
      'of the one list are not good for the other.',
    answer: 'A page of events.',
    errors: ['invalid_cursor', 'usage_unavailable'],
  }),
  serviceRoute({
    ...ofEveryKey,
    path: '/api/v1/admin/usage/summary',
    operationId: 'summarizeAllUsage',
    rpc: ['usage', 'summarizeAllUsage'],
    summary: 'Runs of every key, counted',
    description:
      'As `/api/v1/usage/summary`. An end user belongs to a key: with `group_by=end_user` the same id under two keys ' +
      'has two rows, which `api_key_id` distinguishes.',
    answer: 'The counts.',
    errors: ['usage_unavailable'],
  }),
  serviceRoute({
    ...ofEveryKey,
    path: '/api/v1/admin/usage/end-users',
    operationId: 'listAllEndUsers',
    rpc: ['usage', 'listAllEndUsers'],
    summary: 'End users of every key',
    description:
      'Each with the key it belongs to, last seen first, ties by id. With `since`, counts, moments and models are of ' +
      'the runs from then on.',
    answer: 'The end users.',
    errors: ['usage_unavailable'],
  }),
  serviceRoute({
    ...ofEveryKey,
    path: '/api/v1/admin/usage/keys',
    operationId: 'listKeyUsage',
    rpc: ['usage', 'listKeyUsage'],
    summary: 'Runs by key',
    description: 'Keys that runs were submitted with, deleted ones too, most runs first, ties by id.',
    answer: 'The keys.',
    errors: ['usage_unavailable'],
  }),
];
