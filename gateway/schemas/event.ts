import Type, { type TObject } from 'typebox';
import type { EventType } from '#events/event-type.ts';
import { EVENT_TYPES } from '#events/registry.ts';
import { named } from '#foundation/schema.ts';
import { messageNamed } from '#platform/wire/descriptors.ts';
import { responseSchema } from '#platform/wire/message-schema.ts';

const page = messageNamed('saring.webhooks.v1.ListEventsResponse');

/** The messages of which responses are made. */
export const EVENT_MESSAGES = {
  page,
  event: page.field['events']!.message!,
  missed: page.field['missed']!.message!,
};

const anyEvent = responseSchema(EVENT_MESSAGES.event);

/** `run.succeeded` becomes `RunSucceededEvent`. */
function nameOfType(type: string): string {
  return `${type.replaceAll(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase())}Event`;
}

/** The schema of an event of each type. */
export const EVENT_SCHEMAS: ReadonlyMap<string, TObject> = new Map(
  Object.entries<EventType>(EVENT_TYPES).map(([type, declared]) => [type, schemaOf(type, declared)]),
);

function schemaOf(type: string, { words, data }: EventType): TObject {
  const properties = {
    ...anyEvent.properties,
    type: { type: 'string', enum: [type], description: 'What has happened.' },
    data: { ...data, description: 'Identifiers and counts.' },
  };
  return named(nameOfType(type), { ...anyEvent, description: words.en, properties } as TObject);
}

/** An event, by its type. More types can come. */
export const Event = named(
  'Event',
  Type.Union([...EVENT_SCHEMAS.values()], {
    description: 'Something that has happened. More types can come: ignore those that you do not know.',
  }),
);

const { events, ...others } = responseSchema(page).properties as Record<string, object>;

export const EventPage = named('EventPage', {
  ...responseSchema(page),
  properties: { ...others, events: { ...events, items: Event } },
});
