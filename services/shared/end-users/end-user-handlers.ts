import type { Erasure, StoredItem } from '#proto/saring/wire/v1/end_user.ts';
import type { EndUserData, EndUserOf } from './end-user-data.ts';

/** The handlers with which a service serves what it stores about end users. `failing` maps failures of its store. */
export function endUserHandlers(
  data: EndUserData,
  failing: <T>(work: () => Promise<T>) => Promise<T>,
): {
  exportEndUser: (of: EndUserOf) => AsyncIterable<{ item: StoredItem }>;
  eraseEndUser: (of: EndUserOf) => Promise<{ erasure: Erasure }>;
} {
  return {
    async *exportEndUser(of) {
      const items = data.stored(of)[Symbol.asyncIterator]();
      for (;;) {
        const next = await failing(() => items.next());
        if (next.done) return;
        yield { item: next.value };
      }
    },
    eraseEndUser: async (of) => ({ erasure: await failing(() => data.erase(of)) }),
  };
}
