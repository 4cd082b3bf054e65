import type { EventType as TypeName } from '#proto/saring/wire/v1/words.ts';
import type { DataOf, EventType } from './event-type.ts';
import { KEY_EVENTS } from './key-events.ts';
import { MARKET_EVENTS } from './market-events.ts';
import { RUN_EVENTS } from './run-events.ts';
import { WEBHOOK_EVENTS } from './webhook-events.ts';

export type { TypeName };

/** Every type of event. The names are also words of proto/, in which requests filter by them. */
export const EVENT_TYPES = {
  ...RUN_EVENTS,
  ...MARKET_EVENTS,
  ...KEY_EVENTS,
  ...WEBHOOK_EVENTS,
} as const satisfies Record<TypeName, EventType>;

/** The data of an event of this type. */
export type EventData<Name extends TypeName> = DataOf<(typeof EVENT_TYPES)[Name]>;

/** Types that concern one key. */
export type TypeOfKey = {
  [Name in TypeName]: (typeof EVENT_TYPES)[Name]['toldTo'] extends 'its key' ? Name : never;
}[TypeName];

/** Types that every key of some scope is told. */
export type TypeOfMany = Exclude<TypeName, TypeOfKey>;

export function isEventType(text: string): text is TypeName {
  return Object.hasOwn(EVENT_TYPES, text);
}
