import type { BodyOf, CallOptions, Job, QueryOf, Schemas } from '../api-types.ts';
import { apart, asQuery, Paged, type QueryOptions } from '../call-options.ts';
import { SaringError } from '../saring-error.ts';
import type { Transport } from '../transport.ts';

type One = '/api/v1/screens/{screen_id}';
/** Without `format`: CSV comes by `saring.rest.postForBytes`. */
type RunOptions = Omit<QueryOf<'post', `${One}/run`>, 'format' | 'columns'> & CallOptions;

type ValueOptions = Omit<QueryOf<'get', '/api/v1/fields/values'>, 'format' | 'fields'> & CallOptions;

/** Screens of end users: rules on fields, or runs of a model; who is in them, and what changes. Every call is made for an end user. */
export class Screens {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** The fields that rules can name. */
  async fields(options: CallOptions = {}) {
    return (await this.#transport.get('/api/v1/fields', options)).fields;
  }

  /** What fields say of every stock on a day, in columns. All fields if none are named. */
  fieldValues(requested: ValueOptions & { fields?: readonly string[] } = {}) {
    const { fields, ...others } = requested;
    const { query, ...options } = asQuery(others);
    return this.#transport.get('/api/v1/fields/values', {
      query: { ...query, ...(fields && { fields: fields.join() }) },
      ...options,
    });
  }

  create(screen: BodyOf<'post', '/api/v1/screens'> & CallOptions) {
    const [body, options] = apart(screen);
    return this.#transport.post('/api/v1/screens', { body, ...options });
  }

  /** The screens that the end user may read, newest first. `limit` is the size of a page. */
  list(requested: QueryOptions<'/api/v1/screens'> = {}) {
    const { query, ...options } = asQuery(requested);
    return new Paged(
      (from) => this.#transport.get('/api/v1/screens', { query: { ...query, ...from }, ...options }),
      ({ screens }) => screens,
    );
  }

  /** The stocks that pass rules which are not saved. */
  preview(requested: BodyOf<'post', '/api/v1/screens/preview'> & CallOptions) {
    const [body, options] = apart(requested);
    return this.#transport.post('/api/v1/screens/preview', { body, ...options });
  }

  /** A screen as it is, or as `version` says it was. */
  get(screenId: string, requested: QueryOptions<One> = {}) {
    const path = { screen_id: screenId };
    return this.#transport.get('/api/v1/screens/{screen_id}', { path, ...asQuery(requested) });
  }

  /** Makes the next version. With `version`, only if the screen still has that one. */
  replace(screenId: string, screen: BodyOf<'put', One> & CallOptions) {
    const [body, options] = apart(screen);
    const path = { screen_id: screenId };
    return this.#transport.put('/api/v1/screens/{screen_id}', { path, body, ...options });
  }

  /** Deletes a screen with everything that is known of it. */
  delete(screenId: string, options: CallOptions = {}) {
    return this.#transport.delete('/api/v1/screens/{screen_id}', {
      path: { screen_id: screenId },
      ...options,
    });
  }

  /** The stocks that are in a screen by rules on a day. */
  async run(
    screenId: string,
    requested: RunOptions & { columns?: readonly string[] } = {},
  ): Promise<Schemas['ScreenRun']> {
    const { columns, ...others } = requested;
    const { query, ...options } = asQuery(others);
    const reply = await this.#transport.post('/api/v1/screens/{screen_id}/run', {
      path: { screen_id: screenId },
      query: { ...query, ...(columns && { columns: columns.join() }) },
      ...options,
    });
    if (!('job_id' in reply)) return reply;
    throw new SaringError(
      'unexpected_answer',
      `The screen runs a model. It has started ${reply.job_id}: use submit.`,
    );
  }

  /** Starts the run of a screen by model, and returns its job. `jobs.wait` waits for the result. */
  async submit(screenId: string, options: CallOptions = {}): Promise<Job> {
    const path = { screen_id: screenId };
    const reply = await this.#transport.post('/api/v1/screens/{screen_id}/run', { path, ...options });
    if ('job_id' in reply) return reply;
    throw new SaringError('unexpected_answer', 'The screen has rules and starts no job: use run.');
  }

  /** Which conditions a stock passes and fails. */
  explain(screenId: string, ticker: string, requested: Omit<QueryOptions<`${One}/explain`>, 'ticker'> = {}) {
    const { query, ...options } = asQuery(requested);
    return this.#transport.get('/api/v1/screens/{screen_id}/explain', {
      path: { screen_id: screenId },
      query: { ...query, ticker },
      ...options,
    });
  }

  /** What came of the picks on past days. */
  past(screenId: string, requested: QueryOptions<`${One}/past`> = {}) {
    const path = { screen_id: screenId };
    return this.#transport.get('/api/v1/screens/{screen_id}/past', { path, ...asQuery(requested) });
  }

  /** Days on which stocks entered or left, newest first. `limit` is the size of a page. */
  changes(screenId: string, requested: QueryOptions<`${One}/changes`> = {}) {
    const { query, ...options } = asQuery(requested);
    const path = { screen_id: screenId };
    return new Paged(
      (from) =>
        this.#transport.get('/api/v1/screens/{screen_id}/changes', {
          path,
          query: { ...query, ...from },
          ...options,
        }),
      ({ changes }) => changes,
    );
  }

  /** The screens that hold a stock on the newest day. */
  async ofStock(ticker: string, options: CallOptions = {}) {
    const path = { ticker };
    return (await this.#transport.get('/api/v1/data/stocks/{ticker}/screens', { path, ...options })).screens;
  }
}
