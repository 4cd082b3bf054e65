import { effect, signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { SaringError, type Event, type EventTypeName } from '#client/index.ts';
import { client, currentSession, signedIn } from './session.ts';

export const RUN_ENDED = ['run.succeeded', 'run.failed', 'run.interrupted'] as const;

/**
 * A hidden tab closes its stream after this time. Over HTTP/1.1 a browser opens at most six connections to a server: six open streams
 * would block every other request of every tab.
 */
const HIDDEN_FOR_MS = 30_000;
/** A page hears of an event at once, and then at most this often, so that a burst of runs does not use up the requests of the key. */
const AT_MOST_EVERY_MS = 5_000;

/** Called with the newest event, or with none if events may have been missed. */
type Told = (event?: Event) => void;

interface Subscriber {
  types: readonly EventTypeName[];
  told: Told;
}

const subscribers = new Set<Subscriber>();
const isNeeded = signal(false);
const isHidden = signal(document.hidden);
/** Whether events arrive. While they do not, pages ask again and again instead. */
export const isLive = signal(false);

/** Sessions whose key may not read events. */
const refused = new WeakSet<object>();
/** The last event of a session, after which its next stream resumes. */
const seen = new WeakMap<object, number>();

/** The tab has one stream, while it is visible and signed in with a key. */
effect(() => {
  const session = currentSession.value;
  if (!session || signedIn.value !== 'application' || !isNeeded.value || isHidden.value) return;
  if (refused.has(session)) return;
  const leaving = new AbortController();
  void follow(session, leaving.signal);
  return () => {
    leaving.abort();
    isLive.value = false;
  };
});

async function follow(session: object, leaving: AbortSignal): Promise<void> {
  const after = seen.get(session);
  const stream = client.peek().events.stream({
    after,
    signal: leaving,
    onOpen: (position) => {
      // Pages were answered before this first stream began, and have missed what happened in between.
      if (!seen.has(session)) tellAll();
      seen.set(session, position);
      isLive.value = true;
    },
    onLost: () => (isLive.value = false),
    onMissed: tellAll,
  });
  try {
    for await (const event of stream) {
      seen.set(session, event.sequence);
      for (const { types, told } of subscribers) if (types.includes(event.type)) told(event);
    }
  } catch (failure) {
    if (leaving.aborted) return;
    isLive.value = false;
    seen.delete(session);
    // The service was restored from an older backup and does not know the last event: the stream begins with new events.
    if (after !== undefined && failure instanceof SaringError && failure.code === 'invalid_request')
      return follow(session, leaving);
    refused.add(session);
  }
}

function tellAll(): void {
  for (const { told } of subscribers) told();
}

let hideLater: ReturnType<typeof setTimeout> | undefined;
document.addEventListener('visibilitychange', () => {
  clearTimeout(hideLater);
  if (!document.hidden) isHidden.value = false;
  else hideLater = setTimeout(() => (isHidden.value = true), HIDDEN_FOR_MS);
});

/** Calls `told` when one of these events has happened. */
export function useEvents(types: readonly EventTypeName[], told: Told): void {
  const newest = useRef(told);
  newest.current = told;
  useEffect(() => {
    let waiting: ReturnType<typeof setTimeout> | undefined;
    let due: (() => void) | undefined;
    const tellDue = () => {
      waiting = undefined;
      if (!due) return;
      due();
      due = undefined;
      waiting = setTimeout(tellDue, AT_MOST_EVERY_MS);
    };
    const subscriber: Subscriber = {
      types,
      told: (event) => {
        due = () => newest.current(event);
        if (waiting === undefined) tellDue();
      },
    };
    subscribers.add(subscriber);
    isNeeded.value = true;
    return () => {
      clearTimeout(waiting);
      subscribers.delete(subscriber);
    };
  }, [types.join()]);
}
