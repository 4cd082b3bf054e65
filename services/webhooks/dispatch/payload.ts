import { jakartaDateTime } from '#foundation/jakarta-time.ts';
import type { DueDelivery } from '../store/claim-store.ts';

/** What a test delivers in the place of an event. It has no place in the sequence of its key. */
export interface TestEvent {
  event_id: string;
  occurred_at: string;
}

/** The id by which a receiver recognises what it already has: that of the event, however often it is delivered. */
export function messageIdOf({ event, test }: DueDelivery): string {
  return event ? event.event_id : (test as unknown as TestEvent).event_id;
}

/** The body of a request. It is the same for every attempt, unless the end user in it is erased meanwhile. */
export function payloadOf({ event, test, webhook_id }: DueDelivery): string {
  if (event) {
    const { event_id: id, type, occurred_at, sequence, data } = event;
    return JSON.stringify({
      id,
      type,
      created_at: jakartaDateTime(occurred_at),
      sequence: Number(sequence),
      data,
    });
  }
  const { event_id: id, occurred_at: created_at } = test as unknown as TestEvent;
  return JSON.stringify({ id, type: 'webhook.test', created_at, sequence: 0, data: { webhook_id } });
}
