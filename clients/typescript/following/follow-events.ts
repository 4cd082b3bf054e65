import type { Schemas } from '../transport/api-types.ts';
import type { CallLimit } from '../transport/call-limit.ts';
import { isPassing, SaringError } from '../transport/saring-error.ts';
import { SERVER_SILENCE_MS, serverEvents } from './server-events.ts';
import type { Transport } from '../transport/transport.ts';

/** An event by its `type`. */
export type Event = Schemas['Event'];
export type EventTypeName = Event['type'];
/** The numbers of events that were removed by age before they could be read. */
export type MissedEvents = Schemas['MissedEvents'];

export interface Followed {
  /** Only events with a larger `sequence`. Only those from now on if it is left out. */
  after?: number | undefined;
  types?: readonly EventTypeName[] | undefined;
  /** Called when events were removed by age before this stream could tell them. */
  onMissed?: ((missed: MissedEvents) => void) | undefined;
  /** Called whenever a stream is open, with the `sequence` after which it tells. */
  onOpen?: ((after: number) => void) | undefined;
  /** Called when an open stream breaks off. It is opened again by itself. */
  onLost?: (() => void) | undefined;
}

interface Pace {
  /** At least, before the first attempt. It doubles with each that fails, up to 16 times as long. */
  reconnectAfterMs: number;
  silenceMs: number;
}

const PACE: Pace = { reconnectAfterMs: 2_000, silenceMs: SERVER_SILENCE_MS };
const LONGEST_PAUSE = 16;

/**
 * Yields events as they come, each once, and goes on after the last one whenever the stream breaks off. Only the limit, or an answer
 * that a retry will not change, ends it.
 */
export async function* followEvents(
  transport: Transport,
  { after, types, onMissed, onOpen, onLost }: Followed,
  limit: CallLimit,
  pace = PACE,
): AsyncGenerator<Event> {
  let position = after;
  let failures = 0;
  for (;;) {
    let isOpen = false;
    const query = { ...typesQuery(types), ...(position !== undefined && { after: position }) };
    try {
      for await (const seen of serverEvents(transport, '/api/v1/events', { query }, limit, pace.silenceMs)) {
        if (seen.data === undefined) {
          if (!isOpen) onOpen?.(position ?? Number(seen.id));
          isOpen = true;
          position = Number(seen.id);
        } else if (seen.name === 'missed') onMissed?.(JSON.parse(seen.data) as MissedEvents);
        else yield JSON.parse(seen.data) as Event;
      }
    } catch (failure) {
      limit.signal.throwIfAborted();
      if (failure instanceof SaringError && failure.status !== undefined && !isPassing(failure))
        throw failure;
    }
    if (isOpen) onLost?.();
    failures = isOpen ? 0 : failures + 1;
    await limit.sleep(pauseMs(pace, failures));
  }
}

/** Randomised up to half as long again, so that readers which a restart has cut off do not all come back at once. */
function pauseMs({ reconnectAfterMs }: Pace, failures: number): number {
  return reconnectAfterMs * Math.min(2 ** failures, LONGEST_PAUSE) * (1 + Math.random() / 2);
}

export function typesQuery(types: readonly EventTypeName[] | undefined): { types?: string } {
  return types === undefined ? {} : { types: types.join(',') };
}
