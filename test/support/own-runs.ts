import type { Kysely } from 'kysely';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import { systemClock as clock } from '#shared/clock.ts';
import { randomId } from '#shared/ids.ts';
import { createLogger } from '#shared/logger.ts';
import { connectNats } from '#shared/nats/connection.ts';
import { openPostgres } from '#shared/postgres.ts';
import { startBackground } from '#services/models/background.ts';
import { Cancellations } from '#services/models/cancellations.ts';
import { Jobs } from '#services/models/jobs.ts';
import { LiveTier } from '#services/models/live-tier.ts';
import { NatsPresence } from '#services/models/nats-presence.ts';
import { RunRequests } from '#services/models/run-requests.ts';
import { RunWatchers } from '#services/models/run-watchers.ts';
import { ACCEPT_WITHIN_MS, Runs, type AcceptedRun } from '#services/models/runs.ts';
import { migrations } from '#services/models/store/migrations/index.ts';
import { CancelledRuns } from '#services/models/store/cancelled-runs.ts';
import { IdempotencyKeys } from '#services/models/store/idempotency-keys.ts';
import type { NewRun } from '#services/models/store/insert-run.ts';
import { RunStore, type RunRow } from '#services/models/store/run-store.ts';
import type { ModelsTables } from '#services/models/store/tables.ts';
import type { Submission } from '#services/models/submission.ts';
import { Sweeper } from '#services/models/sweeper.ts';
import { UsageRecords } from '#services/models/usage-records.ts';
import { PrivateServer } from './private-server.ts';
import { IN_TIME, RunStreams } from './run-streams.ts';
import { ownServers } from './servers.ts';

const log = createLogger('test', 'silent');

/** Sooner than whatever waits for a pause of `NEVER_MS` to be over, on any machine. */
export const AT_ONCE_MS = 15_000;
const NEVER_MS = 60_000;

export interface OwnRunsOptions {
  /** Whether workers are told again of cancellations only when a test says so. */
  tellsOnce?: boolean;
}

/** Runs as two processes of the models service handle them, on servers of their own, and a worker that says what it is told to. */
export class OwnRuns extends RunStreams {
  natsServer!: PrivateServer;
  database!: Kysely<ModelsTables>;
  store!: RunStore;
  keys!: IdempotencyKeys;
  runs!: Runs;
  cancellations!: Cancellations;
  jobs!: Jobs;
  live!: LiveTier;
  /** As the first process of the service has it, but that it keeps runs for a day only. */
  sweeper!: Sweeper;
  /** A second process of the service. */
  otherRuns!: Runs;
  /** The first process, but that it accepts a run within this time or not at all. */
  runsAcceptingWithin!: (ms: number) => Runs;
  readonly #options: OwnRunsOptions;
  readonly #stops: (() => unknown)[] = [];

  constructor(options: OwnRunsOptions) {
    super();
    this.#options = options;
  }

  async start(databaseUrl: string): Promise<void> {
    this.natsServer = await PrivateServer.nats();
    this.database = await openPostgres<ModelsTables>({
      ...{ url: databaseUrl, schema: 'models', migrations, log },
    });
    this.store = new RunStore(this.database);
    this.keys = new IdempotencyKeys(this.database);
    this.worker = await connectNats(this.natsServer.url, 'worker', log);
    const [first, second] = [await this.#startInstance(), await this.#startInstance()];
    [this.runs, this.otherRuns] = [first.runs(), second.runs()];
    this.runsAcceptingWithin = (ms) => first.runs(ms);
    this.cancellations = first.cancellations;
    this.live = new LiveTier({ jsm: first.nats.jsm, nats: first.presence, log });
    this.jobs = new Jobs({ live: this.live, clock });
    this.sweeper = new Sweeper({ ...first, clock, retentionDays: 1 });
    this.#stops.push(() => this.database.destroy());
  }

  async #startInstance() {
    const { store, keys } = this;
    const nats = await connectNats(this.natsServer.url, 'models', log);
    const presence = new NatsPresence(nats.connection);
    // A watch that hears nothing must not look like one that does.
    const fallback = { hereMs: NEVER_MS, awayMs: NEVER_MS };
    const watchers = new RunWatchers(nats.connection, presence, fallback);
    const usage = new UsageRecords({ js: nats.js, store, log });
    const requests = new RunRequests({ js: nats.js, nats: presence, store, clock, log });
    const cancellations = new Cancellations({
      ...{ cancelled: new CancelledRuns(this.database), connection: nats.connection, js: nats.js },
      ...{ nats: presence, usage, watchers, clock, log },
    });
    const deps = { store, keys, requests, usage, watchers, cancellations };
    const pauses = this.#options.tellsOnce ? { tellPauseMs: NEVER_MS } : {};
    const stop = startBackground({ ...deps, nats, clock, log, retentionDays: 0, ...pauses });
    this.#stops.push(async () => {
      await stop();
      await nats.connection.close();
    });
    const dates = { clock, pin: '' };
    const runs = (acceptWithinMs = ACCEPT_WITHIN_MS) =>
      new Runs({ ...deps, dates, newId: randomId, acceptWithinMs });
    return { ...deps, runs, nats, presence };
  }

  async stop(): Promise<void> {
    for (const stop of this.#stops) await stop();
    await this.worker?.connection.close();
    await this.natsServer?.remove();
  }

  accept(): Promise<RunRow> {
    return this.submit();
  }

  /** Submits a run that differs from any other in what is given; `signal` says when its caller leaves. */
  async submit(change: Partial<Submission> = {}, signal?: AbortSignal): Promise<RunRow> {
    return (await this.submitTo(this.runs, change, signal)).run;
  }

  /** The same to either process. */
  submitTo(
    runs: Runs,
    change: Partial<Submission> = {},
    signal = new AbortController().signal,
  ): Promise<AcceptedRun> {
    const submission = {
      ...{ model_id: 'confluence_filter', params: { lookback: 3 }, view: 'full' },
      ...{ api_key_id: 'key_a', end_user: 'alice', channel: 'api', request_id: 'req_1' },
    };
    return runs.submit({ ...submission, ...change }, signal);
  }

  /** The row of another run like this one, as a process leaves it that dies before it publishes anything. */
  async writeOnly(like: RunRow, change: Partial<NewRun> = {}): Promise<RunRow> {
    const { api_key_id, end_user, channel, model_id, view, params, request_id } = like;
    const lost = {
      ...{ api_key_id, end_user, channel, actor: api_key_id, model_id, view, params, request_id },
      ...{ job_id: randomId('job'), event_id: randomId('ue'), created_at: new Date(), ...change },
    };
    return (await this.store.insert(lost, () => 10_000))!;
  }

  rowOf(run: RunRow): Promise<RunRow> {
    return this.runs.get(run.job_id, 'key_a');
  }

  untilStatus(run: RunRow, status: string, timeout = IN_TIME.timeout): Promise<void> {
    const check = async () => expect((await this.rowOf(run)).status).toBe(status);
    return vi.waitFor(check, { timeout, interval: 50 });
  }
}

/** Gives a test file a models service without its gRPC side. Call at the top level of the file. */
export function ownRuns(options: OwnRunsOptions = {}): OwnRuns {
  const servers = ownServers();
  const own = new OwnRuns(options);
  beforeAll(() => own.start(servers.databaseUrl));
  afterAll(() => own.stop());
  return own;
}
