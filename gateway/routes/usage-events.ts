import { defineRoute } from '../routing/define-route.ts';
import { sinceMoment, untilMoment } from '../validation/moment.ts';
import { closed, OpaqueId } from '../schemas/common.ts';
import { UsageEvent, UsagePage } from '../schemas/usage-event.ts';
import { cursor, endUser, eventLimit, modelId, since, status, until } from '../schemas/usage-query.ts';
import { renderEvent, renderPage } from './render-usage.ts';

export const usageEventRoutes = [
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
];
