import type { Kysely } from 'kysely';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import { RunFinished, RunRequested, RunStarted } from '#proto/saring/events/v1/runs.ts';
import { UsageRecorded } from '#proto/saring/events/v1/usage.ts';
import { systemClock as clock } from '#shared/clock.ts';
import { randomId } from '#shared/ids.ts';
import { createLogger } from '#shared/logger.ts';
import { connectNats, type Nats } from '#shared/nats/connection.ts';
import { subjects } from '#shared/nats/subjects.ts';
import { openPostgres } from '#shared/postgres.ts';
import { startBackground } from '#services/models/background.ts';
import { Cancellations } from '#services/models/cancellations.ts';
import { Jobs } from '#services/models/jobs.ts';
import { LiveTier } from '#services/models/live-tier.ts';
import { NatsPresence } from '#services/models/nats-presence.ts';
import { RunRequests } from '#services/models/run-requests.ts';
import { RunWatchers } from '#services/models/run-watchers.ts';
import { Runs, type AcceptedRun } from '#services/models/runs.ts';
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
import { ownServers } from './servers.ts';

const log = createLogger('test', 'silent');

/** Runs as two processes of the models service handle them, on servers of their own, and a worker that says what it is told to. */
export class OwnRuns {
  natsServer!: PrivateServer;
  /** As a worker sees it. */
  worker!: Nats;
  database!: Kysely<ModelsTables>;
  store!: RunStore;
  keys!: IdempotencyKeys;
  runs!: Runs;
  jobs!: Jobs;
  live!: LiveTier;
  /** As the first process of the service has it, but that it keeps runs for a day only. */
  sweeper!: Sweeper;
  /** A second process of the service. */
  otherRuns!: Runs;
  readonly #stops: (() => unknown)[] = [];

  async start(databaseUrl: string): Promise<void> {
    this.natsServer = await PrivateServer.nats();
    this.database = await openPostgres<ModelsTables>({
      ...{ url: databaseUrl, schema: 'models', migrations, log },
    });
    this.store = new RunStore(this.database);
    this.keys = new IdempotencyKeys(this.database);
    this.worker = await connectNats(this.natsServer.url, 'worker', log);
    const [first, second] = [await this.#startInstance(), await this.#startInstance()];
    [this.runs, this.otherRuns] = [first.runs, second.runs];
    this.live = new LiveTier({ jsm: first.nats.jsm, nats: first.presence, log });
    this.jobs = new Jobs({ live: this.live, clock });
    this.sweeper = new Sweeper({ ...first, clock, retentionDays: 1 });
    this.#stops.push(() => this.database.destroy());
  }

  async #startInstance() {
    const { store, keys } = this;
    const nats = await connectNats(this.natsServer.url, 'models', log);
    const watchers = new RunWatchers(nats.connection);
    const usage = new UsageRecords({ js: nats.js, store, log });
    const presence = new NatsPresence(nats.connection);
    const requests = new RunRequests({ js: nats.js, nats: presence, store, clock, log });
    const cancellations = new Cancellations({
      ...{ cancelled: new CancelledRuns(this.database), connection: nats.connection, js: nats.js },
      ...{ nats: presence, usage, watchers, clock, log },
    });
    const deps = { store, keys, requests, usage, watchers, cancellations };
    const stop = startBackground({ ...deps, nats, clock, log, retentionDays: 0 });
    this.#stops.push(async () => {
      await stop();
      await nats.connection.close();
    });
    const dates = { clock, pin: '' };
    const runs = new Runs({ ...deps, dates, newId: randomId });
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
    const { api_key_id, end_user, channel, actor, model_id, view, params, request_id } = like;
    const lost = {
      ...{ api_key_id, end_user, channel, actor, model_id, view, params, request_id },
      ...{ job_id: randomId('job'), event_id: randomId('ue'), created_at: new Date(), ...change },
    };
    return (await this.store.insert(lost, () => 10_000))!;
  }

  rowOf(run: RunRow): Promise<RunRow> {
    return this.runs.get(run.job_id, 'key_a');
  }

  untilStatus(run: RunRow, status: string, timeout = 5_000): Promise<void> {
    const check = async () => expect((await this.rowOf(run)).status).toBe(status);
    return vi.waitFor(check, { timeout, interval: 50 });
  }

  async reportStart({ job_id }: RunRow): Promise<void> {
    const event = { job_id, worker_id: 'worker_test', started_at: new Date() };
    await this.worker.js.publish(subjects.runStarted(job_id), RunStarted.encode(event).finish());
  }

  async reportEnd({ job_id }: RunRow, status: string): Promise<void> {
    const event: RunFinished = {
      ...{ job_id, status, started_at: new Date(Date.now() - 500), finished_at: new Date() },
      summary:
        status === 'succeeded' ? { pick_count: 1, tickers: ['BBCA'], target_date: '2026-09-30' } : undefined,
      error_message: status === 'failed' ? 'Data belum lengkap.' : undefined,
    };
    await this.worker.js.publish(subjects.runFinished(job_id), RunFinished.encode(event).finish());
  }

  /** What was put before the workers of a run. */
  async requestsOf(run: RunRow): Promise<RunRequested[]> {
    const requests = (await this.#held('RUNS')).filter(({ msgId }) => msgId === run.job_id);
    return requests.map(({ data }) => RunRequested.decode(data));
  }

  /** What the usage stream was told of a run. */
  async usageOf(run: RunRow): Promise<UsageRecorded[]> {
    const records = (await this.#held('USAGE')).filter(({ msgId }) => msgId.startsWith(`${run.event_id}.`));
    return records.map(({ data }) => UsageRecorded.decode(data));
  }

  /** The messages a stream holds, oldest first. */
  async #held(stream: string): Promise<{ msgId: string; data: Uint8Array }[]> {
    const { first_seq, last_seq } = (await this.worker.jsm.streams.info(stream)).state;
    const messages = [];
    for (let seq = first_seq; seq <= last_seq; seq++) {
      const message = await this.worker.jsm.streams.getMessage(stream, { seq });
      if (message) messages.push({ msgId: message.header.get('Nats-Msg-Id'), data: message.data });
    }
    return messages;
  }
}

/** Gives a test file a models service without its gRPC side. Call at the top level of the file. */
export function ownRuns(): OwnRuns {
  const servers = ownServers();
  const own = new OwnRuns();
  beforeAll(() => own.start(servers.databaseUrl));
  afterAll(() => own.stop());
  return own;
}
