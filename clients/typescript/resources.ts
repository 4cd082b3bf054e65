import {
  followEvents,
  typesQuery,
  type Event,
  type EventTypeName,
  type Followed,
} from './following/follow-events.ts';
import { finishedJob, followJob } from './following/follow-job.ts';
import * as calls from './gen/calls.ts';
import type {
  AnyModelId,
  BodyOf,
  CallOptions,
  FinishedJob,
  Job,
  JobOf,
  QueryOf,
  Schemas,
  ViewOf,
} from './transport/api-types.ts';
import { CallLimit } from './transport/call-limit.ts';
import { apart, asQuery } from './transport/call-options.ts';
import { SaringError } from './transport/saring-error.ts';
import { Resource } from './transport/transport.ts';

/** The input of a run. */
export interface RunInput<View extends string> extends CallOptions {
  /** Parameters by name, as `models.params` lists them; omitted ones take their defaults. */
  params?: Record<string, unknown> | null;
  /** `full` when absent. */
  view?: View;
  /** Seconds to hold the connection open for the result, 0 to 60; 0 when absent. */
  wait?: number;
}

export class Runs extends Resource {
  /**
   * Submits a run. It is accepted only once, however often the request must be repeated. The job carries its result
   * if it ended within `wait`.
   */
  async submit<M extends AnyModelId, V extends ViewOf<M> = 'full' & ViewOf<M>>(
    model: M,
    input: RunInput<V> = {},
  ): Promise<JobOf<M, V>> {
    const [{ params, view, wait }, options] = apart(input);
    const job = await this.transport.post('/api/v1/models/{model_id}/runs', {
      path: { model_id: model },
      query: { ...(view && { view }), ...(wait !== undefined && { wait }) },
      ...(params !== undefined && { body: { params } }),
      ...options,
    });
    return job as JobOf<M, V>;
  }
}

/** How long to wait for a run. One that trains from scratch may take a minute, and others may be ahead in the queue. */
export const RUN_TIMEOUT_MS = 300_000;

type FollowOptions = Pick<CallOptions, 'signal' | 'timeoutMs'>;

export class Jobs extends calls.Jobs {
  /**
   * Yields the job as it is now and at every change of its status, until it ends. The job comes without its result;
   * `wait` and `get` return that. Waits five minutes at most, unless `timeoutMs` says otherwise.
   */
  async *follow(jobId: string, { timeoutMs, signal }: FollowOptions = {}): AsyncGenerator<Job> {
    const limit = new CallLimit(timeoutMs ?? RUN_TIMEOUT_MS, signal);
    try {
      yield* followJob(this.transport, jobId, limit);
    } finally {
      limit.close();
    }
  }

  /** Resolves to the job once it has ended, whatever its outcome. */
  async wait(jobId: string, options: FollowOptions = {}): Promise<FinishedJob> {
    const limit = new CallLimit(options.timeoutMs ?? RUN_TIMEOUT_MS, options.signal);
    try {
      return await finishedJob(this.transport, jobId, limit);
    } finally {
      limit.close();
    }
  }
}

export class Backfills extends calls.Backfills {
  /** Results of the days done so far, in order. Each page is fetched only when the caller reaches it. */
  async *pages(
    backfillId: string,
    options: CallOptions = {},
  ): AsyncGenerator<Schemas['BackfillPage'], void, undefined> {
    const path = { backfill_id: backfillId };
    for (let after: string | undefined; ;) {
      const query = after === undefined ? {} : { after };
      const response = await this.transport.get('/api/v1/backfills/{backfill_id}/pages', {
        path,
        query,
        ...options,
      });
      yield* response.pages;
      if (response.next_url === null) return;
      after = response.pages.at(-1)!.as_of;
    }
  }
}

/** A job whose result, once it has one, is that of a simulation. */
export type SimulationJob = Omit<Schemas['Job'], 'result'> & { result?: Schemas['SimulationResult'] };

/** What the picks of a screen or a model would have meant for somebody’s money. */
export class Simulations extends Resource {
  /** Submits a simulation. It is accepted only once, however often the request must be repeated. Follow its job with `jobs.follow`. */
  async submit(wanted: BodyOf<'post', '/api/v1/simulations'> & CallOptions): Promise<SimulationJob> {
    const [body, options] = apart(wanted);
    const job = await this.transport.post('/api/v1/simulations', { body, ...options });
    return job as SimulationJob;
  }
}

/** Without `format`: CSV comes by `saring.rest.postForBytes`. */
type ScreenRunOptions = Omit<QueryOf<'post', '/api/v1/screens/{screen_id}/run'>, 'format' | 'columns'> &
  CallOptions;

export class Screens extends calls.Screens {
  /** The stocks that are in a screen by rules on a day. */
  async run(
    screenId: string,
    requested: ScreenRunOptions & { columns?: readonly string[] } = {},
  ): Promise<Schemas['ScreenRun']> {
    const { columns, ...others } = requested;
    const { query, ...options } = asQuery(others);
    const reply = await this.transport.post('/api/v1/screens/{screen_id}/run', {
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
    const reply = await this.transport.post('/api/v1/screens/{screen_id}/run', { path, ...options });
    if ('job_id' in reply) return reply;
    throw new SaringError('unexpected_answer', 'The screen has rules and starts no job: use run.');
  }
}

interface ListedEvents extends CallOptions {
  /** Only events with a larger `sequence`. All that are kept if it is left out. */
  after?: number;
  types?: readonly EventTypeName[];
  /** Size of a page. */
  limit?: number;
}

type StreamOptions = Followed & Pick<CallOptions, 'signal' | 'timeoutMs'>;

/** What has happened to this client’s key. Events differ by their `type`, and more types can come. */
export class Events extends Resource {
  /** One page, with `next_after` for the next one and with what was `missed`. */
  page({ after, types, limit, ...options }: ListedEvents = {}) {
    const query = {
      ...typesQuery(types),
      ...(after !== undefined && { after }),
      ...(limit !== undefined && { limit }),
    };
    return this.transport.get('/api/v1/events', { query, ...options });
  }

  /** The events up to now, oldest first. Each page is fetched only when the caller reaches it. */
  async *list(requested: ListedEvents = {}): AsyncGenerator<Event, void, undefined> {
    let page = await this.page(requested);
    yield* page.events;
    while (page.has_more) {
      page = await this.page({ ...requested, after: page.next_after });
      yield* page.events;
    }
  }

  /**
   * Yields events as they come, each once: those after `after`, or from now on. Goes on after the last one when the connection
   * breaks, until the caller leaves, `signal` aborts, or the key is refused.
   */
  async *stream({ timeoutMs, signal, ...followed }: StreamOptions = {}): AsyncGenerator<
    Event,
    void,
    undefined
  > {
    const limit = new CallLimit(timeoutMs ?? Infinity, signal);
    try {
      yield* followEvents(this.transport, followed, limit);
    } finally {
      limit.close();
    }
  }
}

type Acceptance = Omit<BodyOf<'post', '/api/v1/consent'>, 'document_version' | 'accepted'>;

export class Consent extends calls.Consent {
  /** Records that the end user has accepted this version: once, however often the request must be repeated. */
  accept(documentVersion: string, requested: Acceptance & CallOptions = {}) {
    const [fields, options] = apart(requested);
    const body = { ...fields, document_version: documentVersion, accepted: true };
    return this.transport.post('/api/v1/consent', { body, ...options });
  }
}
