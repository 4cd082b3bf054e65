import { invalidRequest, outOfRange } from '#shared/invalid-request.ts';
import { ServiceError, type FieldError } from '#shared/service-error.ts';
import type { CursorScope, CursorSigner } from './cursor.ts';
import { isRunStatus, STATE_VERSION } from './run-status.ts';
import type { EventFilter } from './store/event-conditions.ts';
import type { LedgerEvent } from './store/event-row.ts';
import type { Ledger } from './store/ledger.ts';

export interface EventPage {
  /** Newest first. */
  events: LedgerEvent[];
  /** Absent on the last page. */
  nextCursor: string | undefined;
}

const MAX_LIMIT = 200;

/** A key's own usage history, page by page. */
export class UsageHistory {
  readonly #ledger: Ledger;
  readonly #cursors: CursorSigner;

  constructor(ledger: Ledger, cursors: CursorSigner) {
    this.#ledger = ledger;
    this.#cursors = cursors;
  }

  /** @throws ServiceError invalid_request, invalid_cursor or usage_unavailable. */
  async list(
    filter: EventFilter,
    page: { limit: number; cursor?: string | undefined },
    signal: AbortSignal,
  ): Promise<EventPage> {
    refuseMistakes(filter, page.limit);
    const scope = scopeOf(filter);
    const after = page.cursor === undefined ? undefined : this.#cursors.verify(page.cursor, scope);
    // One more than asked for tells whether there is a next page.
    const found = await this.#ledger.newest(filter, after, page.limit + 1, signal);
    const events = found.slice(0, page.limit);
    const last = events.at(-1);
    return {
      events,
      nextCursor: found.length > page.limit && last ? this.#cursors.sign(last, scope) : undefined,
    };
  }

  /** @throws ServiceError usage_event_not_found, also for an event of another key; usage_unavailable. */
  async get(apiKeyId: string, eventId: string, signal: AbortSignal): Promise<LedgerEvent> {
    const event = await this.#ledger.find(apiKeyId, eventId, signal);
    if (!event) throw new ServiceError('usage_event_not_found', 'There is no such usage event.');
    return event;
  }
}

function scopeOf(filter: EventFilter): CursorScope {
  const { since, until, ...rest } = filter;
  return { ...rest, since: since?.getTime(), until: until?.getTime() };
}

function refuseMistakes({ apiKeyId, status, since, until }: EventFilter, limit: number): void {
  const detail: FieldError[] = [];
  if (apiKeyId === '') detail.push({ loc: ['api_key_id'], msg: 'must be given', type: 'missing' });
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT) {
    detail.push(outOfRange(['query', 'limit'], 1, MAX_LIMIT, limit));
  }
  if (status !== undefined && !isRunStatus(status)) {
    const msg = `must be one of ${Object.keys(STATE_VERSION).join(', ')}`;
    detail.push({ loc: ['query', 'status'], msg, type: 'enum', input: status });
  }
  for (const [name, moment] of Object.entries({ since, until })) {
    if (moment && Number.isNaN(moment.getTime()))
      detail.push({ loc: ['query', name], msg: 'is no moment in time', type: 'datetime_parsing' });
  }
  if (detail.length > 0) throw invalidRequest(detail);
}
