import type { EventData, TypeOfKey, TypeOfMany } from '#events/registry.ts';
import { EventTold } from '#proto/saring/events/v1/told.ts';
import { randomId } from '#foundation/ids.ts';
import { subjects } from '../nats/subjects.ts';
import type { OutboxMessage } from './outbox.ts';

/** The services that tell events. */
export type Teller = 'models' | 'screens' | 'keys' | 'feed' | 'webhooks';

type Told<Name extends TypeOfKey | TypeOfMany> = {
  type: Name;
  data: EventData<Name>;
  /** When it happened. */
  at: Date;
};

/** An event for one key, to be put into the outbox in the transaction of what it tells of. */
export function eventFor<Name extends TypeOfKey>(
  by: Teller,
  api_key_id: string,
  told: Told<Name>,
): OutboxMessage {
  return messageOf(by, told, api_key_id);
}

/** An event for every key that has the scope of its type. */
export function eventForMany<Name extends TypeOfMany>(by: Teller, told: Told<Name>): OutboxMessage {
  return messageOf(by, told);
}

function messageOf<Name extends TypeOfKey | TypeOfMany>(
  by: Teller,
  { type, data, at: occurred_at }: Told<Name>,
  api_key_id?: string,
): OutboxMessage {
  const event_id = randomId('evt');
  const message = EventTold.encode({ event_id, api_key_id, type, occurred_at, data }).finish();
  return { message_id: event_id, subject: subjects.event(by), message };
}
