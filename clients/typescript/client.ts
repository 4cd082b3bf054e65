import type { AnyModelId, CallOptions, FinishedJob, ViewOf } from './transport/api-types.ts';
import { Admin, MarketData, Models, Operator, Sessions, Usage, Watchlists, Webhooks } from './gen/calls.ts';
import { Backfills, Consent, Events, Jobs, Runs, Screens, Simulations } from './resources.ts';
import { runAndWait, type RunAndWaitInput } from './run-and-wait.ts';
import { Transport, type ClientOptions } from './transport/transport.ts';

/**
 * Typed client of the REST API. Names with underscores are the API’s own; names in camel case are this client’s.
 * Failures are thrown as a SaringError; an aborted call rejects with the signal’s reason.
 */
export class SaringClient {
  /** Any endpoint by its path, with types. `request` also returns status and headers. */
  readonly rest: Transport;
  readonly models: Models;
  readonly runs: Runs;
  readonly jobs: Jobs;
  readonly backfills: Backfills;
  readonly data: MarketData;
  readonly screens: Screens;
  readonly sessions: Sessions;
  readonly simulations: Simulations;
  readonly watchlists: Watchlists;
  readonly webhooks: Webhooks;
  readonly events: Events;
  readonly usage: Usage;
  readonly consent: Consent;
  readonly admin: Admin;
  /** For a client that was made with the operator’s token instead of a key. */
  readonly operator: Operator;

  constructor(options: ClientOptions) {
    this.rest = new Transport(options);
    this.models = new Models(this.rest);
    this.runs = new Runs(this.rest);
    this.jobs = new Jobs(this.rest);
    this.backfills = new Backfills(this.rest);
    this.data = new MarketData(this.rest);
    this.screens = new Screens(this.rest);
    this.sessions = new Sessions(this.rest);
    this.simulations = new Simulations(this.rest);
    this.watchlists = new Watchlists(this.rest);
    this.webhooks = new Webhooks(this.rest);
    this.events = new Events(this.rest);
    this.usage = new Usage(this.rest);
    this.consent = new Consent(this.rest);
    this.admin = new Admin(this.rest);
    this.operator = new Operator(this.rest);
  }

  /**
   * Runs a model and resolves to the finished job: with its result, or with the reason it failed, which is an outcome
   * and not an error. Waits five minutes at most, unless `timeoutMs` says otherwise; the run itself goes on after
   * that.
   */
  runAndWait<M extends AnyModelId, V extends ViewOf<M> = 'full' & ViewOf<M>>(
    model: M,
    input: RunAndWaitInput<V> = {},
  ): Promise<FinishedJob<M, V>> {
    return runAndWait<M, V>(this.rest, model, input);
  }

  /** Whether the service is up and which dataset it answers from. */
  health(options: CallOptions = {}) {
    return this.rest.get('/api/health', options);
  }

  /** The scopes and limits of this client’s key. */
  key(options: CallOptions = {}) {
    return this.rest.get('/api/v1/key', options);
  }

  /** What each scope of a key grants. */
  async scopes(options: CallOptions = {}) {
    return (await this.rest.get('/api/v1/scopes', options)).scopes;
  }
}
