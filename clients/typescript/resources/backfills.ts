import type { AnyModelId, BodyOf, CallOptions, ReplyOf } from '../api-types.ts';
import { apart, asQuery, type QueryOptions } from '../call-options.ts';
import type { Transport } from '../transport.ts';

type Wanted = BodyOf<'post', '/api/v1/models/{model_id}/backfills'>;
type Page = ReplyOf<'get', '/api/v1/backfills/{backfill_id}/pages'>['pages'][number];

/** Results of a model for many past days: history, which is not part of the model’s record. */
export class Backfills {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Starts a backfill. It starts only once, however often the request must be repeated. */
  start(model: AnyModelId, wanted: Wanted & CallOptions) {
    const [body, options] = apart(wanted);
    const path = { model_id: model };
    return this.#transport.post('/api/v1/models/{model_id}/backfills', { path, body, ...options });
  }

  /** Recent backfills of the key, newest first. */
  async list(requested: QueryOptions<'/api/v1/backfills'> = {}) {
    return (await this.#transport.get('/api/v1/backfills', asQuery(requested))).backfills;
  }

  /** The current state of a backfill: `days_done` of `days_total`. */
  get(backfillId: string, options: CallOptions = {}) {
    const path = { backfill_id: backfillId };
    return this.#transport.get('/api/v1/backfills/{backfill_id}', { path, ...options });
  }

  /** Results of the days done so far, in order. Each page is fetched only when the caller reaches it. */
  async *pages(backfillId: string, options: CallOptions = {}): AsyncGenerator<Page, void, undefined> {
    const path = { backfill_id: backfillId };
    for (let after: string | undefined; ;) {
      const query = after === undefined ? {} : { after };
      const response = await this.#transport.get('/api/v1/backfills/{backfill_id}/pages', {
        path,
        query,
        ...options,
      });
      yield* response.pages;
      if (response.next_url === null) return;
      after = response.pages.at(-1)!.as_of;
    }
  }

  /** Cancels a backfill, which keeps the pages it has. One that has ended does not change. */
  cancel(backfillId: string, options: CallOptions = {}) {
    const path = { backfill_id: backfillId };
    return this.#transport.post('/api/v1/backfills/{backfill_id}/cancel', { path, ...options });
  }
}
