import { erasureOf, storedItem, type EndUserData } from '#shared/end-users/end-user-data.ts';
import { pause } from '#platform/process/waiting.ts';
import type { EventStore } from './event-store.ts';

/** Events on their way arrive within milliseconds. On a busy service the stream may never be empty. */
const ARRIVED_WITHIN_MS = 3_000;
const POLL_PAUSE_MS = 50;

interface EndUserEventsDependencies {
  store: Pick<EventStore, 'ofEndUser' | 'forgetEndUser'>;
  /** Messages of the stream that are not stored yet. */
  waiting: () => Promise<number>;
}

/** What the service stores about end users: the events that name them. An erasure waits for those on their way. */
export function endUserEvents({ store, waiting }: EndUserEventsDependencies): EndUserData {
  const allArrived = async (over: AbortSignal) => {
    while (!over.aborted && (await waiting()) > 0) await pause(POLL_PAUSE_MS, over);
  };
  return {
    async *stored(of) {
      for await (const event of store.ofEndUser(of)) yield storedItem('events', event);
    },
    erase: async (of) => {
      await allArrived(AbortSignal.timeout(ARRIVED_WITHIN_MS));
      return erasureOf({ events: await store.forgetEndUser(of) });
    },
  };
}
