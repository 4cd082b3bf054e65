import type { Event, MissedEvents } from '#proto/saring/webhooks/v1/events.ts';
import { refuse } from '#foundation/errors/invalid-request.ts';
import type { RowWatchers } from '#platform/nats/row-watchers.ts';
import type { EventStore } from '../store/event-store.ts';
import type { EventRow } from '../store/tables.ts';

/** Events of other types that a page passes over at most, so that a rare type costs no more than a page of all. */
const MAX_SCANNED = 1_000;
/** Events that a stream reads at once: all that it holds in memory for a slow reader. */
const STREAMED_AT_ONCE: Extent = { limit: 100, scanned: 100 };

interface EventsDependencies {
  store: Pick<EventStore, 'newest' | 'after'>;
  /** They tell of the rows of a key. */
  watchers: Pick<RowWatchers, 'nextUpdate'>;
}

interface EventsOf {
  api_key_id: string;
  /** Only events with larger numbers. */
  after?: number | undefined;
  /** All if empty. */
  types: readonly string[];
}

interface EventPage {
  events: EventRow[];
  /** Every wanted event up to this number is on this page or before it. */
  nextAfter: number;
  hasMore: boolean;
  /** Events after `after` that were removed by age. */
  missed: MissedEvents | undefined;
}

/** How many events a page holds, and how many are read for it. */
interface Extent {
  limit: number;
  scanned: number;
}

/** How far a stream has come, and what it tells. */
interface Told {
  sequence: number;
  event?: EventRow;
  missed?: MissedEvents | undefined;
}

export class Events {
  readonly #deps: EventsDependencies;

  constructor(deps: EventsDependencies) {
    this.#deps = deps;
  }

  /** @throws ServiceError invalid_request if the key has not reached `after` */
  list(of: EventsOf, limit: number): Promise<EventPage> {
    return this.#page(of, { limit, scanned: of.types.length === 0 ? limit : MAX_SCANNED });
  }

  /**
   * Yields the events of a key after a number, or from now on, until `signal` aborts. Says at once where it begins.
   * @throws ServiceError invalid_request if the key has not reached `after`
   */
  async *watch({ after, ...of }: EventsOf, signal: AbortSignal): AsyncGenerator<Told> {
    const { store, watchers } = this.#deps;
    let sequence = after ?? (await store.newest(of.api_key_id));
    let isFirst = true;
    while (!signal.aborted) {
      const update = watchers.nextUpdate(of.api_key_id);
      signal.addEventListener('abort', update.cancel, { once: true });
      try {
        const page = await this.#page({ ...of, after: sequence }, STREAMED_AT_ONCE);
        if (isFirst || page.missed)
          yield { sequence: page.missed?.last_sequence ?? sequence, missed: page.missed };
        isFirst = false;
        for (const event of page.events) yield { sequence: Number(event.sequence), event };
        // A stream that is resumed need not pass over the others again.
        if (page.events.length === 0 && page.nextAfter > sequence) yield { sequence: page.nextAfter };
        sequence = page.nextAfter;
        if (!page.hasMore) await update.arrived;
      } finally {
        signal.removeEventListener('abort', update.cancel);
        update.cancel();
      }
    }
  }

  /** Reads `scanned` events and keeps those of the types, `limit` at most. */
  async #page({ api_key_id, after, types }: EventsOf, { limit, scanned }: Extent): Promise<EventPage> {
    const { store } = this.#deps;
    const newest = await store.newest(api_key_id);
    const from = after ?? 0;
    refuseUnreached(from, newest);
    const rows = await store.after(api_key_id, from, scanned + 1);
    const read = rows.slice(0, scanned);
    const wanted = types.length === 0 ? read : read.filter(({ type }) => types.includes(type));
    const events = wanted.slice(0, limit);
    const last = wanted.length > limit ? events.at(-1) : read.at(-1);
    return {
      events,
      nextAfter: last ? Number(last.sequence) : newest,
      hasMore: wanted.length > limit || rows.length > scanned,
      missed: after === undefined ? undefined : missedAfter(after, rows[0], newest),
    };
  }
}

/** Numbers have no gaps, so that one between `after` and the oldest event there is shows what was removed. */
function missedAfter(after: number, oldest: EventRow | undefined, newest: number): MissedEvents | undefined {
  const last_sequence = oldest ? Number(oldest.sequence) - 1 : newest;
  return last_sequence > after ? { first_sequence: after + 1, last_sequence } : undefined;
}

function refuseUnreached(after: number, newest: number): void {
  if (after <= newest) return;
  const msg = `must be at most ${newest}, the number of the newest event of this key`;
  refuse([{ loc: ['after'], msg, type: 'less_than_equal', input: after, ctx: { le: newest } }]);
}

export function toEvent({ event_id: id, type, occurred_at: created_at, sequence, data }: EventRow): Event {
  return { id, type, created_at, sequence: Number(sequence), data };
}
