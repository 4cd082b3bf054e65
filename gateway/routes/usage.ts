import { defineRoute } from '../routing/define-route.ts';
import { sinceMoment, untilMoment } from '../validation/moment.ts';
import { closed, OpaqueId } from '../schemas/common.ts';
import { EndUserList } from '../schemas/usage-end-users.ts';
import { UsageEvent, UsagePage } from '../schemas/usage-event.ts';
import {
  cursor,
  endUser,
  endUserId,
  endUserLimit,
  eventLimit,
  groupBy,
  modelId,
  since,
  status,
  until,
} from '../schemas/usage-query.ts';
import { UsageSummary } from '../schemas/usage-summary.ts';
import { renderEndUser, renderEvent, renderGroup, renderPage } from './render-usage.ts';

/** What a key sees of its own runs. */
export const usageRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/v1/usage/events',
    operationId: 'listUsageEvents',
    tag: 'Usage',
    summary: 'Model runs of this key',
    description:
      'Newest first. Pass `next_cursor` as `cursor`, with the same filters, until `has_more` is false; runs that ' +
      'arrive meanwhile neither repeat an event nor hide one. A run appears within about two seconds of its ' +
      'acceptance. Market-data reads are not recorded.',
    access: 'usage:read',
    query: closed({ end_user: endUser, model_id: modelId, status, since, until, limit: eventLimit, cursor }),
    responses: { 200: { description: 'A page of events.', schema: UsagePage } },
    errors: ['invalid_cursor', 'usage_unavailable'],
    handler: async ({ query }, call, { services }) => {
      const moments = { since: sinceMoment(query.since), until: untilMoment(query.until) };
      const request = { ...query, ...moments, api_key_id: call.apiKeyId };
      return renderPage(await services.usage.listEvents(request, call), renderEvent);
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/v1/usage/events/{event_id}',
    operationId: 'getUsageEvent',
    tag: 'Usage',
    summary: 'One recorded run',
    description: 'An event of another key is answered as if it did not exist.',
    access: 'usage:read',
    params: closed({ event_id: OpaqueId('Event id.', 'ue_0a1b2c3d4e5f60718293a4b5') }),
    unknownIdCode: 'usage_event_not_found',
    responses: { 200: { description: 'The event.', schema: UsageEvent } },
    errors: ['usage_event_not_found', 'usage_unavailable'],
    handler: async ({ params: { event_id } }, call, { services }) => {
      const { event } = await services.usage.getEvent({ api_key_id: call.apiKeyId, event_id }, call);
      if (!event) throw new Error('the usage service answered no event');
      return renderEvent(event);
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/v1/usage/summary',
    operationId: 'summarizeUsage',
    tag: 'Usage',
    summary: 'Runs of this key, counted',
    description:
      'Each run counts once, in its latest state. Rows with most runs come first, days in their order, newest ' +
      'first. At most 1,000 rows; `total_runs` counts the runs of all.',
    access: 'usage:read',
    query: closed({ group_by: groupBy, since, until }),
    responses: { 200: { description: 'The counts.', schema: UsageSummary } },
    errors: ['usage_unavailable'],
    handler: async ({ query }, call, { services }) => {
      const { group_by } = query;
      const moments = { since: sinceMoment(query.since), until: untilMoment(query.until) };
      const request = { api_key_id: call.apiKeyId, group_by, ...moments };
      const { total_runs, groups } = await services.usage.summarizeUsage(request, call);
      return { group_by, total_runs, rows: groups.map(renderGroup) };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/v1/usage/end-users',
    operationId: 'listEndUsers',
    tag: 'Usage',
    summary: 'End users of this key',
    description:
      'Every id that runs were submitted for, last seen first, ties by id. With `since`, counts, moments and models ' +
      'are of the runs from then on.',
    access: 'usage:read',
    query: closed({ since, limit: endUserLimit }),
    responses: { 200: { description: 'The end users.', schema: EndUserList } },
    errors: ['usage_unavailable'],
    handler: async ({ query: { since, limit } }, call, { services }) => {
      const request = { api_key_id: call.apiKeyId, since: sinceMoment(since), limit };
      const { end_users } = await services.usage.listEndUsers(request, call);
      return { end_users: end_users.map(renderEndUser), count: end_users.length };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/v1/usage/end-users/{end_user_id}/events',
    operationId: 'listEndUserEvents',
    tag: 'Usage',
    summary: 'Model runs of one end user',
    description:
      'The events of this end user of this key, newest first. An id that no run was submitted for has an empty page, ' +
      'as has an id of another key; what cannot be an end-user id is not_found.',
    access: 'usage:read',
    params: closed({ end_user_id: endUserId }),
    unknownIdCode: 'not_found',
    query: closed({ model_id: modelId, since, until, limit: eventLimit, cursor }),
    responses: { 200: { description: 'A page of events.', schema: UsagePage } },
    errors: ['invalid_cursor', 'usage_unavailable'],
    handler: async ({ params: { end_user_id }, query }, call, { services }) => {
      const moments = { since: sinceMoment(query.since), until: untilMoment(query.until) };
      const request = { ...query, ...moments, api_key_id: call.apiKeyId, end_user: end_user_id };
      return renderPage(await services.usage.listEvents(request, call), renderEvent);
    },
  }),
];
