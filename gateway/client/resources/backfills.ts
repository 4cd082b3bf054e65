import type { AnyModelId, BodyOf, CallOptions, ReplyOf } from '../api-types.ts';
import { apart, asQuery, type Asked } from '../call-options.ts';
import type { Transport } from '../transport.ts';

type Wanted = BodyOf<'post', '/api/v1/models/{model_id}/backfills'>;
type Page = ReplyOf<'get', '/api/v1/backfills/{backfill_id}/pages'>['pages'][number];

/** Models as of many past days: history, and no part of their record. */
export class Backfills {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Begins one, once, however often the request must be repeated. */
  start(model: AnyModelId, wanted: Wanted & CallOptions) {
    const [body, options] = apart(wanted);
    const path = { model_id: model };
    return this.#transport.post('/api/v1/models/{model_id}/backfills', { path, body, ...options });
  }

  /** Recent ones of the key, newest first. */
  async list(asked: Asked<'/api/v1/backfills'> = {}) {
    return (await this.#transport.get('/api/v1/backfills', asQuery(asked))).backfills;
  }

  /** One as it stands: `days_done` of `days_total`. */
  get(backfillId: string, options: CallOptions = {}) {
    const path = { backfill_id: backfillId };
    return this.#transport.get('/api/v1/backfills/{backfill_id}', { path, ...options });
  }

  /** What came of its days so far, in their order; more is fetched as it is come to. */
  async *pages(backfillId: string, options: CallOptions = {}): AsyncGenerator<Page, void, undefined> {
    const path = { backfill_id: backfillId };
    for (let after: string | undefined; ;) {
      const query = after === undefined ? {} : { after };
      const answer = await this.#transport.get('/api/v1/backfills/{backfill_id}/pages', {
        path,
        query,
        ...options,
      });
      yield* answer.pages;
      if (answer.next_url === null) return;
      after = answer.pages.at(-1)!.as_of;
    }
  }

  /** Ends it; the pages it has stay. One that has ended stays as it is. */
  cancel(backfillId: string, options: CallOptions = {}) {
    const path = { backfill_id: backfillId };
    return this.#transport.post('/api/v1/backfills/{backfill_id}/cancel', { path, ...options });
  }
}
