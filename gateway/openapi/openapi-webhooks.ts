import type { TSchema } from 'typebox';
import { EVENT_SCHEMAS } from '../schemas/event.ts';

type Json = Record<string, unknown>;

const HEADERS: Json[] = [
  [
    'webhook-id',
    'Id of the event, which is also in the body. The same for every attempt.',
    'evt_5f0c6f1e9a3b4d2c8e7f6a5b',
  ],
  [
    'webhook-timestamp',
    'Time of the attempt, in seconds since 1970. Refuse requests of another time.',
    '1763629805',
  ],
  [
    'webhook-signature',
    'Signatures by the Standard Webhooks specification, separated by spaces: two while a secret is being replaced.',
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  ],
].map(([name, description, example]) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example,
}));

const RESPONSES: Json = {
  '2XX': { description: 'The event has arrived. The answer has to begin within 10 seconds.' },
  '410': { description: 'The endpoint wants no more events: the webhook is disabled.' },
  default: { description: 'The event has not arrived, and is sent again later. Redirects are not followed.' },
};

/** What the service sends to webhooks, by type of event. `reference` refers to a schema of the document. */
export function sentToWebhooks(reference: (schema: TSchema) => Json): Json {
  const sent = [...EVENT_SCHEMAS].map(([type, schema]) => {
    const post = {
      operationId: `receive ${type}`.replaceAll(/[ .](\w)/g, (_, letter: string) => letter.toUpperCase()),
      tags: ['Webhooks'],
      summary: schema['description' as keyof typeof schema] as unknown,
      description: `Sent to webhooks that want \`${type}\`.`,
      security: [],
      parameters: HEADERS,
      requestBody: { required: true, content: { 'application/json': { schema: reference(schema) } } },
      responses: RESPONSES,
    };
    return [type, { post }];
  });
  return Object.fromEntries(sent) as Json;
}
