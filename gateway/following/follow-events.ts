import type { WatchEventsResponse } from '#proto/saring/webhooks/v1/events.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { pause } from '#platform/process/waiting.ts';
import type { Backend } from '../backend/backend.ts';
import type { ClientCall } from '../request/client-call.ts';
import { FOLLOW_TIMES, followedUntilOver } from './follow-run.ts';

interface Followed {
  /** Only events with larger numbers; only those from now on if undefined. */
  after: number | undefined;
  /** All types if empty. */
  types: string[];
}

/**
 * The events of the calling key, each as it comes, until the call is over, the gateway stops, or the service stays unavailable.
 * Follows through restarts of the service, and may move to another copy of it.
 * @throws ServiceError if the service refuses, or cannot be reached at first
 */
export async function followEvents(
  { after, types }: Followed,
  call: ClientCall,
  { services, stopping }: Pick<Backend, 'services' | 'stopping'>,
): Promise<AsyncIterable<WatchEventsResponse>> {
  const { requestId, traceparent, apiKeyId: api_key_id } = call;
  const { signal, end } = followedUntilOver(call, stopping);
  const watchAfter = (position: number | undefined) => {
    const options = { requestId, traceparent, signal, timeoutMs: FOLLOW_TIMES.watchMs };
    const request = { api_key_id, after: position, types };
    return services.events.watchEvents(request, options)[Symbol.asyncIterator]();
  };
  let watch = watchAfter(after);
  const first = await watch.next();
  if (first.done)
    throw new ServiceError('data_unavailable', 'Events cannot be streamed at the moment. Try again.');
  return (async function* () {
    let told = first.value;
    let heardAtMs = performance.now();
    try {
      yield told;
      while (!signal.aborted && performance.now() - heardAtMs < FOLLOW_TIMES.giveUpMs) {
        try {
          for (let next = await watch.next(); !next.done; next = await watch.next()) {
            heardAtMs = performance.now();
            yield (told = next.value);
          }
        } catch (error) {
          if (!(error instanceof ServiceError && error.code === 'data_unavailable')) return;
        }
        await pause(FOLLOW_TIMES.pauseMs, signal);
        watch = watchAfter(told.sequence);
      }
    } finally {
      end();
    }
  })();
}
