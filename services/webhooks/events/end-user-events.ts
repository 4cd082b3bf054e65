import { erasureOf, storedItem, type EndUserData } from '#shared/end-users/end-user-data.ts';
import type { EventStore } from '../store/event-store.ts';

/** What the service stores about end users: the events that name them. */
export function endUserEvents(store: Pick<EventStore, 'ofEndUser' | 'forgetEndUser'>): EndUserData {
  return {
    async *stored(of) {
      for await (const event of store.ofEndUser(of)) yield storedItem('events', event);
    },
    erase: async (of) => erasureOf({ events: await store.forgetEndUser(of) }),
  };
}
