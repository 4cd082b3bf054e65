import type { CallOptions } from '../api-types.ts';
import { asQuery, Paged, type QueryOptions } from '../call-options.ts';
import type { Transport } from '../transport.ts';

/** The recorded runs of this client’s key. In lists of events, `limit` is the size of a page. */
export class Usage {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  events(requested: QueryOptions<'/api/v1/usage/events'> = {}) {
    const { query, ...options } = asQuery(requested);
    return new Paged(
      (from) => this.#transport.get('/api/v1/usage/events', { query: { ...query, ...from }, ...options }),
      ({ events }) => events,
    );
  }

  event(eventId: string, options: CallOptions = {}) {
    return this.#transport.get('/api/v1/usage/events/{event_id}', {
      path: { event_id: eventId },
      ...options,
    });
  }

  /** Runs counted by model, end user, status, channel or day. */
  summary(requested: QueryOptions<'/api/v1/usage/summary'> = {}) {
    return this.#transport.get('/api/v1/usage/summary', asQuery(requested));
  }

  async endUsers(requested: QueryOptions<'/api/v1/usage/end-users'> = {}) {
    return (await this.#transport.get('/api/v1/usage/end-users', asQuery(requested))).end_users;
  }

  endUserEvents(
    endUserId: string,
    requested: QueryOptions<'/api/v1/usage/end-users/{end_user_id}/events'> = {},
  ) {
    const { query, ...options } = asQuery(requested);
    const path = { end_user_id: endUserId };
    return new Paged(
      (from) =>
        this.#transport.get('/api/v1/usage/end-users/{end_user_id}/events', {
          path,
          query: { ...query, ...from },
          ...options,
        }),
      ({ events }) => events,
    );
  }

  /** All requests of the key by operation and outcome, with their latency. */
  requests(requested: QueryOptions<'/api/v1/usage/requests'> = {}) {
    return this.#transport.get('/api/v1/usage/requests', asQuery(requested));
  }

  /** Runs of screens by rules, and previews, newest first. `limit` is the size of a page. */
  screenRuns(requested: QueryOptions<'/api/v1/usage/screen-runs'> = {}) {
    const { query, ...options } = asQuery(requested);
    return new Paged(
      (from) =>
        this.#transport.get('/api/v1/usage/screen-runs', { query: { ...query, ...from }, ...options }),
      ({ runs }) => runs,
    );
  }

  /** The same, counted by screen, end user, kind or day. */
  screenRunSummary(requested: QueryOptions<'/api/v1/usage/screen-runs/summary'> = {}) {
    return this.#transport.get('/api/v1/usage/screen-runs/summary', asQuery(requested));
  }
}

/** The recorded runs of every key, for the operator. Needs the scope `usage:admin`. */
export class Admin {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  events(requested: QueryOptions<'/api/v1/admin/usage/events'> = {}) {
    const { query, ...options } = asQuery(requested);
    return new Paged(
      (from) =>
        this.#transport.get('/api/v1/admin/usage/events', { query: { ...query, ...from }, ...options }),
      ({ events }) => events,
    );
  }

  /** Runs counted as in `usage.summary`, and also by key or actor. */
  summary(requested: QueryOptions<'/api/v1/admin/usage/summary'> = {}) {
    return this.#transport.get('/api/v1/admin/usage/summary', asQuery(requested));
  }

  /** End users, each with the key it belongs to. */
  async endUsers(requested: QueryOptions<'/api/v1/admin/usage/end-users'> = {}) {
    return (await this.#transport.get('/api/v1/admin/usage/end-users', asQuery(requested))).end_users;
  }

  /** Runs by key. */
  async keys(requested: QueryOptions<'/api/v1/admin/usage/keys'> = {}) {
    return (await this.#transport.get('/api/v1/admin/usage/keys', asQuery(requested))).keys;
  }

  /** Runs of screens by rules, and previews, newest first. `limit` is the size of a page. */
  screenRuns(requested: QueryOptions<'/api/v1/admin/usage/screen-runs'> = {}) {
    const { query, ...options } = asQuery(requested);
    return new Paged(
      (from) =>
        this.#transport.get('/api/v1/admin/usage/screen-runs', { query: { ...query, ...from }, ...options }),
      ({ runs }) => runs,
    );
  }

  /** The same, counted by screen, end user, kind or day, and also by key. */
  screenRunSummary(requested: QueryOptions<'/api/v1/admin/usage/screen-runs/summary'> = {}) {
    return this.#transport.get('/api/v1/admin/usage/screen-runs/summary', asQuery(requested));
  }
}
