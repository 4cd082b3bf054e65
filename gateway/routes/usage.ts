import Type from 'typebox';
import type { UsageEvent as UsageEventMessage } from '#proto/saring/usage/v1/usage.ts';
import { jakartaDateTime } from '#shared/jakarta-time.ts';
import { END_USER_PATTERN } from '../auth/end-user.ts';
import { defineRoute } from '../http/define-route.ts';
import { MOMENT_FORMS, sinceMoment, untilMoment } from '../http/moment.ts';
import { bounded, closed, oneOf, OpaqueId } from '../schemas/common.ts';
import { EVENT_STATUSES, UsageEvent, UsagePage } from '../schemas/usage.ts';

const eventQuery = closed({
  end_user: Type.Optional(
    Type.String({ pattern: END_USER_PATTERN, description: 'Only this end user.', examples: ['user-42'] }),
  ),
  model_id: Type.Optional(OpaqueId('Only this model.', 'confluence_filter')),
  status: Type.Optional(oneOf(EVENT_STATUSES, { description: 'Only this status.' })),
  since: Type.Optional(Type.String({ description: `Only events from then on: ${MOMENT_FORMS}.` })),
  until: Type.Optional(
    Type.String({ description: `Only events before then: ${MOMENT_FORMS}. A date includes that whole day.` }),
  ),
  limit: bounded(1, 200, 50, 'Most events to answer.'),
  cursor: Type.Optional(
    Type.String({ description: '`next_cursor` of the previous page, with the same filters.' }),
  ),
});

export const usageRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/v1/usage/events',
    operationId: 'listUsageEvents',
    tag: 'Usage',
    summary: 'Model runs of this key',
    description:
      'Newest first. Pass `next_cursor` as `cursor`, with the same filters, until `has_more` is false. A run ' +
      'appears within about two seconds of its acceptance. Market-data reads are not recorded.',
    access: 'usage:read',
    query: eventQuery,
    responses: { 200: { description: 'A page of events.', schema: UsagePage } },
    errors: ['invalid_cursor', 'usage_unavailable'],
    handler: async ({ query: { since, until, ...filters } }, call, { services }) => {
      const { events, next_cursor } = await services.usage.listEvents(
        {
          api_key_id: call.apiKeyId,
          end_user: filters.end_user,
          model_id: filters.model_id,
          status: filters.status,
          since: sinceMoment(since),
          until: untilMoment(until),
          limit: filters.limit,
          cursor: filters.cursor,
        },
        call,
      );
      return {
        events: events.map(renderEvent),
        count: events.length,
        next_cursor: next_cursor ?? null,
        has_more: next_cursor !== undefined,
      };
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

function renderEvent(event: UsageEventMessage) {
  return {
    ...event,
    ts: jakartaDateTime(event.ts ?? new Date(0)),
    params: event.params ?? {},
    summary: event.summary ?? null,
  };
}
