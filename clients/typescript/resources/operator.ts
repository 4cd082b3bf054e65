import { asQuery, type QueryOptions } from '../call-options.ts';
import type { CallOptions } from '../api-types.ts';
import type { Transport } from '../transport.ts';

/** The fleet as its operator sees it. Needs the operator’s token instead of a key. */
export class Operator {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async processes(options: CallOptions = {}) {
    return (await this.#transport.get('/api/v1/operator/processes', options)).processes;
  }

  /** Waiting and running runs, now and over the last `minutes`. */
  queue(requested: QueryOptions<'/api/v1/operator/queue'> = {}) {
    return this.#transport.get('/api/v1/operator/queue', asQuery(requested));
  }

  /** Every dataset version, and which one is served. */
  datasets(options: CallOptions = {}) {
    return this.#transport.get('/api/v1/operator/datasets', options);
  }

  /** Which versions were served, and since when. */
  async servedDatasets(requested: QueryOptions<'/api/v1/operator/datasets/history'> = {}) {
    return (await this.#transport.get('/api/v1/operator/datasets/history', asQuery(requested))).served;
  }

  /** The rows that the import of a version refused. */
  async rejectedRows(
    version: string,
    requested: QueryOptions<'/api/v1/operator/datasets/{version}/rejected-rows'> = {},
  ) {
    const path = { version };
    const { rows } = await this.#transport.get('/api/v1/operator/datasets/{version}/rejected-rows', {
      path,
      ...asQuery(requested),
    });
    return rows;
  }

  async keys(options: CallOptions = {}) {
    return (await this.#transport.get('/api/v1/operator/keys', options)).api_keys;
  }

  /** The audit log of keys. */
  async keyActions(requested: QueryOptions<'/api/v1/operator/keys/actions'> = {}) {
    return (await this.#transport.get('/api/v1/operator/keys/actions', asQuery(requested))).actions;
  }

  async schedules(options: CallOptions = {}) {
    return (await this.#transport.get('/api/v1/operator/schedules', options)).schedules;
  }

  /** The outcomes of schedules. */
  async firings(requested: QueryOptions<'/api/v1/operator/schedules/firings'> = {}) {
    return (await this.#transport.get('/api/v1/operator/schedules/firings', asQuery(requested))).firings;
  }

  /** The sources of market data: what each brought, what it waits for and why. */
  async feedSources(options: CallOptions = {}) {
    return (await this.#transport.get('/api/v1/operator/feed/sources', options)).sources;
  }

  /** Everything that was fetched from the sources. */
  async fetches(requested: QueryOptions<'/api/v1/operator/feed/fetches'> = {}) {
    return (await this.#transport.get('/api/v1/operator/feed/fetches', asQuery(requested))).fetches;
  }

  /** Runs of every key, counted. */
  usageSummary(requested: QueryOptions<'/api/v1/operator/usage/summary'> = {}) {
    return this.#transport.get('/api/v1/operator/usage/summary', asQuery(requested));
  }

  async usageByKey(requested: QueryOptions<'/api/v1/operator/usage/keys'> = {}) {
    return (await this.#transport.get('/api/v1/operator/usage/keys', asQuery(requested))).keys;
  }
}
