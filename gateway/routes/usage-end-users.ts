import { defineRoute } from '../routing/define-route.ts';
import { sinceMoment, untilMoment } from '../validation/moment.ts';
import { closed } from '../schemas/common.ts';
import { EndUserList } from '../schemas/usage-end-users.ts';
import { UsagePage } from '../schemas/usage-event.ts';
import {
  cursor,
  endUserId,
  endUserLimit,
  eventLimit,
  modelId,
  since,
  until,
} from '../schemas/usage-query.ts';
import { renderEndUser, renderEvent, renderPage } from './render-usage.ts';

export const usageEndUserRoutes = [
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
