import Type from 'typebox';
import { EVENT_TYPES } from '#events/registry.ts';
import type { WatchEventsResponse } from '#proto/saring/webhooks/v1/events.ts';
import { invalidRequest } from '#foundation/errors/invalid-request.ts';
import { jsonOf } from '#platform/wire/message-json.ts';
import type { EventStream } from '../responses/send-events.ts';
import { defineRoute } from '../routing/define-route.ts';
import { followEvents } from '../following/follow-events.ts';
import { Event, EventPage, EVENT_MESSAGES } from '../schemas/event.ts';
import { querySchema } from '../declarations/call-schemas.ts';
import { factsOf } from '../declarations/route-facts.ts';

const WORDS = Object.keys(EVENT_TYPES);
const WORD = `(?:${WORDS.map((word) => word.replace('.', '\\.')).join('|')})`;

const { after, limit } = querySchema(['events', 'listEvents'], ['after', 'limit']).properties;

export const eventRoutes = [
  defineRoute({
    ...factsOf(['events', 'listEvents']),
    query: Type.Object(
      {
        after: Type.Optional(after),
        limit,
        types: Type.Optional(
          Type.String({
            pattern: `^${WORD}(?:,${WORD})*$`,
            $comment: `types of events, separated by commas: ${WORDS.join(', ')}`,
            description: 'Comma-separated. Only events of these types; all types if it is left out.',
            examples: ['run.succeeded,run.failed'],
          }),
        ),
      },
      { additionalProperties: false },
    ),
    responses: { 200: { description: 'A page of events.', schema: EventPage } },
    stream: {
      schema: Event,
      handler: async ({ query: { after, types } }, call, backend) => {
        const from = call.lastEventId === undefined ? after : sequenceOf(call.lastEventId);
        const followed = await followEvents({ after: from, types: typesOf(types) }, call, backend);
        return streamed(followed);
      },
    },
    handler: async ({ query: { after, limit, types } }, call, { services }) => {
      const request = { api_key_id: call.apiKeyId, after, limit, types: typesOf(types) };
      return jsonOf(EVENT_MESSAGES.page)(await services.events.listEvents(request, call));
    },
  }),
];

function typesOf(sent: string | undefined): string[] {
  return sent === undefined ? [] : [...new Set(sent.split(','))];
}

/** @throws ServiceError invalid_request */
function sequenceOf(lastEventId: string): number {
  if (/^\d{1,15}$/.test(lastEventId)) return Number(lastEventId);
  const msg = 'must be the `id` of an event of this stream, a whole number';
  throw invalidRequest([{ loc: ['header', 'Last-Event-ID'], msg, type: 'value_error', input: lastEventId }]);
}

async function* streamed(told: AsyncIterable<WatchEventsResponse>): EventStream {
  for await (const { sequence, event, missed } of told) {
    const id = String(sequence);
    if (missed) yield { id, name: 'missed', data: jsonOf(EVENT_MESSAGES.missed)(missed) };
    else if (event) yield { id, name: 'event', data: jsonOf(EVENT_MESSAGES.event)(event) };
    else yield { id };
  }
}
