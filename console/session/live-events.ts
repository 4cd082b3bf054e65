import { effect, signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { SaringError, type Event, type EventTypeName } from '#client/index.ts';
import { client, currentSession, signedIn } from './session.ts';

export const RUN_ENDED = ['run.succeeded', 'run.failed', 'run.interrupted'] as const;

/**
 * A hidden tab gives its stream up after this time. Over HTTP/1.1 a browser opens six connections to a server in all: six open streams
 * would stop every other request of every tab.
 */
const HIDDEN_FOR_MS = 30_000;
/** A page is told at once, and then at most this often, so that a burst of runs does not use up the requests of the key. */
const AT_MOST_EVERY_MS = 5_000;

/** Is given the newest event; none if some may have happened that nobody told. */
type Told = (event?: Event) => void;

interface Subscriber {
  types: readonly EventTypeName[];
  told: Told;
}

const subscribers = new Set<Subscriber>();
const isNeeded = signal(false);
const isAway = signal(document.hidden);
/** Whether events arrive. While they do not, pages ask again and again instead. */
export const isLive = signal(false);

/** Sessions whose key may not read events. */
const refused = new WeakSet<object>();
/** The last event of a session, after which its next stream goes on. */
const seen = new WeakMap<object, number>();

/** One stream for the tab, while somebody is signed in with a key and looks at it. */
effect(() => {
  const session = currentSession.value;
  if (!session || signedIn.value !== 'application' || !isNeeded.value || isAway.value) return;
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
      // What happened between the first answers of the pages and the first stream, nobody else tells them.
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
    // The service was restored from an older backup: it does not know the last event. Its events from now on are told.
    if (after !== undefined && failure instanceof SaringError && failure.code === 'invalid_request')
      return follow(session, leaving);
    refused.add(session);
  }
}

function tellAll(): void {
  for (const { told } of subscribers) told();
}

let leaveLater: ReturnType<typeof setTimeout> | undefined;
document.addEventListener('visibilitychange', () => {
  clearTimeout(leaveLater);
  if (!document.hidden) isAway.value = false;
  else leaveLater = setTimeout(() => (isAway.value = true), HIDDEN_FOR_MS);
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
