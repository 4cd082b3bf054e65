import type { CursorScope, CursorSigner } from '#platform/paging/cursor.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import type { EventFilter, EventPosition } from './store/event-conditions.ts';
import type { LedgerEvent, Ledger } from './store/ledger.ts';
import type { ScreenRun, ScreenRunLedger } from './store/screen-run-ledger.ts';

/**
 * The list that a cursor belongs to: one key's own events, or the operator's list of all. A cursor works in one only.
 */
type EventList = 'own' | 'all' | 'own screens' | 'all screens';

export interface EventPage<Event = LedgerEvent> {
  /** Newest first. */
  events: Event[];
  /** Absent on the last page. */
  nextCursor: string | undefined;
}

interface PageRequest {
  limit: number;
  cursor?: string | undefined;
}

/** Events that can be read newest first. */
interface Readable<Event> {
  newest: (
    filter: EventFilter,
    after: EventPosition | undefined,
    count: number,
    signal: AbortSignal,
  ) => Promise<Event[]>;
}

/** Usage history, page by page. */
export class UsageHistory {
  readonly #ledger: Ledger;
  readonly #screenRuns: ScreenRunLedger;
  readonly #cursors: CursorSigner;

  constructor(
    { events, screenRuns }: { events: Ledger; screenRuns: ScreenRunLedger },
    cursors: CursorSigner,
  ) {
    this.#ledger = events;
    this.#screenRuns = screenRuns;
    this.#cursors = cursors;
  }

  /** @throws ServiceError invalid_request, invalid_cursor or usage_unavailable. */
  list(list: 'own' | 'all', filter: EventFilter, page: PageRequest, signal: AbortSignal): Promise<EventPage> {
    return this.#page(this.#ledger, { list, filter }, page, signal);
  }

  /** Runs of screens by rules. @throws ServiceError as {@link list} */
  listScreenRuns(
    list: 'own screens' | 'all screens',
    filter: EventFilter,
    page: PageRequest,
    signal: AbortSignal,
  ): Promise<EventPage<ScreenRun>> {
    return this.#page(this.#screenRuns, { list, filter }, page, signal);
  }

  async #page<Event extends EventPosition>(
    ledger: Readable<Event>,
    { list, filter }: { list: EventList; filter: EventFilter },
    page: PageRequest,
    signal: AbortSignal,
  ): Promise<EventPage<Event>> {
    const scope = scopeOf(list, filter);
    const after = page.cursor === undefined ? undefined : this.#endOfPage(page.cursor, scope);
    // Fetch one more event than requested to find out whether there is a next page.
    const found = await ledger.newest(filter, after, page.limit + 1, signal);
    const events = found.slice(0, page.limit);
    const last = events.at(-1);
    return {
      events,
      nextCursor: found.length > page.limit && last ? this.#cursorAfter(last, scope) : undefined,
    };
  }

  #cursorAfter({ ts, event_id }: EventPosition, scope: CursorScope): string {
    return this.#cursors.sign({ at: ts.getTime(), id: event_id }, scope);
  }

  #endOfPage(cursor: string, scope: CursorScope): EventPosition {
    const { at, id } = this.#cursors.verify(cursor, scope);
    return { ts: new Date(at), event_id: id };
  }

  /** @throws ServiceError usage_event_not_found, also for an event of another key; usage_unavailable. */
  async get(apiKeyId: string, eventId: string, signal: AbortSignal): Promise<LedgerEvent> {
    const event = await this.#ledger.find(apiKeyId, eventId, signal);
    if (!event) throw new ServiceError('usage_event_not_found', 'There is no such usage event.');
    return event;
  }
}

function scopeOf(list: EventList, filter: EventFilter): CursorScope {
  const { of, since, until, ...rest } = filter;
  const apiKeyId = of === 'every key' ? undefined : of.apiKeyId;
  return { ...rest, list, apiKeyId, since: since?.getTime(), until: until?.getTime() };
}
