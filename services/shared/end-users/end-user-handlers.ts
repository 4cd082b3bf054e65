import type { EndUserDataServiceService } from '#proto/saring/end_users/v1/end_users.ts';
import type { Handlers } from '#platform/grpc/server.ts';
import type { EndUserData } from './end-user-data.ts';

/** The gRPC handlers of what a service stores about end users. `failing` maps failures of its store. */
export function endUserHandlers(
  data: EndUserData,
  failing: <T>(work: () => Promise<T>) => Promise<T>,
): Handlers<EndUserDataServiceService> {
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
