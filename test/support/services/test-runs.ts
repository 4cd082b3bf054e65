import type { Kysely } from 'kysely';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import { systemClock as clock } from '#foundation/clock.ts';
import { randomId } from '#foundation/ids.ts';
import { createLogger } from '#platform/operations/logger.ts';
import { connectNats } from '#platform/nats/connection.ts';
import { openPostgres } from '#platform/postgres/open-postgres.ts';
import type { SpanDates } from '#services/models/analysis-day/analysis-date.ts';
import { noTestMarket } from './no-test-market.ts';
import { createModels, createStores, type Models, type Stores } from '#services/models/create-models.ts';
import { ModelEvidence } from '#services/models/record/model-evidence.ts';
import {
  Runs,
  type AcceptedRun,
  type RunsDependencies,
  type Submission,
} from '#services/models/runs/runs.ts';
import { migrations } from '#services/models/store/migrations/index.ts';
import type { NewRun } from '#services/models/store/insert-run.ts';
import type { RunStore } from '#services/models/store/run-store.ts';
import type { ModelsTables, RunRow } from '#services/models/store/tables.ts';
import { Sweeper } from '#services/models/runs/sweeper.ts';
import { HANGS_AFTER_MS } from '../hangs.ts';
import { PrivateServer } from '../servers/private-server.ts';
import { RunStreams } from './run-streams.ts';
import { IN_TIME } from '../hangs.ts';
import { ownServers } from '../servers/servers.ts';

const log = createLogger('test', 'silent');

/** What happens before `HANGS_AFTER_MS` has not waited for such a pause. */
const NEVER_MS = 2 * HANGS_AFTER_MS;

export const RECORD_SECRET = 'record-secret-of-a-test';

/** Names no stocks in the place of universes, which only market-data knows. */
const asTheyAre = { named: async <P>(params: P) => params };

interface TestRunsOptions {
  /** Whether workers are notified of a cancellation only once, unless a test repeats it. */
  tellsOnce?: boolean;
  /** As in `openPostgres`. */
  statementTimeoutMs?: number;
}

/** Two processes of the models service on their own servers, without gRPC, and a worker that reports what the test wants. */
export class TestRuns extends RunStreams {
  natsServer!: PrivateServer;
  databaseUrl!: string;
  database!: Kysely<ModelsTables>;
  store!: RunStore;
  runs!: Runs;
  /** All parts of the first process. */
  parts!: Models;
  /** The sweeper of the first process, but with a retention of one day. */
  sweeper!: Sweeper;
  /** A second process of the service. */
  otherRuns!: Runs;
  /** The first process with another part, or other limits on the time to accept a run and to wait for its start. */
  runsWith!: (own: Partial<RunsDependencies>) => Runs;
  /** Trading days that the service knows, ascending; empty at first. */
  tradingDays: string[] = [];
  /** Of all workers together. Few tests have so many runs of a key that any waits for its turn. */
  runsAtOnce = 1_000;
  readonly #dates: SpanDates = {
    clock,
    pin: '',
    tradingDays: {
      onOrBefore: (date) => this.tradingDays.findLast((day) => day <= date),
      newestTrained: (date) => this.tradingDays.findLast((day) => day <= date),
      between: (from, to) => this.tradingDays.filter((day) => day >= from && day <= to),
      span: undefined,
      areKnownWithin: async () => true,
    },
  };
  readonly #options: TestRunsOptions;
  readonly #stops: (() => unknown)[] = [];

  constructor(options: TestRunsOptions) {
    super();
    this.#options = options;
  }

  async start(databaseUrl: string): Promise<void> {
    this.natsServer = await PrivateServer.nats();
    this.databaseUrl = databaseUrl;
    const { tellsOnce: _, ...limits } = this.#options;
    const target = { url: databaseUrl, schema: 'models', migrations, log };
    const database = await openPostgres<ModelsTables>({ ...target, ...limits });
    this.database = database;
    const stores = createStores(database, RECORD_SECRET, log);
    this.store = stores.store;
    this.worker = await connectNats(this.natsServer.url, 'worker', log);
    const [first, second] = [await this.#startInstance(stores), await this.#startInstance(stores)];
    [this.runs, this.otherRuns] = [first.runs, second.runs];
    this.runsWith = (own) => new Runs({ ...first, dates: this.#dates, newId: randomId, ...own });
    this.parts = first;
    this.sweeper = new Sweeper({ ...first, retentionDays: 1 });
    this.#stops.push(() => database.destroy());
  }

  async #startInstance(stores: Stores): Promise<Models> {
    const nats = await connectNats(this.natsServer.url, 'models', log);
    const models = createModels({
      stores,
      evidence: new ModelEvidence(stores.record),
      nats,
      log,
      dates: this.#dates,
      testDays: noTestMarket,
      stocks: asTheyAre,
      runsAtOnce: () => this.runsAtOnce,
      retentionDays: 0,
      backfillRetentionDays: 7,
      pauses: {
        // Watches must not fall back on polling, which would hide that a notification is missing.
        watchers: { hereMs: NEVER_MS, unavailableMs: NEVER_MS },
        ...(this.#options.tellsOnce && { notifyMs: NEVER_MS }),
      },
    });
    const stop = models.startBackground();
    this.#stops.push(async () => {
      await stop();
      await nats.connection.close();
    });
    return models;
  }

  async stop(): Promise<void> {
    for (const stop of this.#stops) await stop();
    await this.worker?.connection.close();
    await this.natsServer?.remove();
  }

  accept(): Promise<RunRow> {
    return this.submit();
  }

  /** Submits a run with these changes to the defaults. `signal` aborts when its caller leaves. */
  async submit(change: Partial<Submission> = {}, signal?: AbortSignal): Promise<RunRow> {
    return (await this.submitTo(this.runs, change, signal)).run;
  }

  /** The same for either process. */
  submitTo(
    runs: Runs,
    change: Partial<Submission> = {},
    signal = new AbortController().signal,
  ): Promise<AcceptedRun> {
    return runs.submit(this.submission(change), { signal });
  }

  submission(change: Partial<Submission>): Submission {
    return {
      model_id: 'confluence_filter',
      params: { lookback: 3 },
      view: 'full',
      api_key_id: 'key_a',
      end_user: 'alice',
      channel: 'api',
      request_id: 'req_1',
      ...change,
    };
  }

  /** Writes the row of another run like this one, as a process does that crashes before it publishes anything. */
  async writeOnly(like: RunRow, change: Partial<NewRun> = {}): Promise<RunRow> {
    const { api_key_id, end_user, channel, model_id, view, params, request_id } = like;
    const lost = {
      api_key_id,
      end_user,
      channel,
      actor: api_key_id,
      model_id,
      view,
      params,
      request_id,
      job_id: randomId('job'),
      event_id: randomId('ue'),
      created_at: new Date(),
      ...change,
    };
    return (await this.store.insert(lost, () => 10_000))!;
  }

  /** Writes the row of a backfill over these days, whose days are then requested. */
  async writeBackfill(days: string[]): Promise<string> {
    const backfill_id = randomId('bf');
    await this.database
      .insertInto('backfill')
      .values({
        backfill_id,
        api_key_id: 'key_a',
        end_user: 'tester',
        model_id: 'confluence_filter',
        params: '{}',
        from_day: days[0]!,
        to_day: days.at(-1)!,
        step: 'day',
        days,
        created_at: new Date(),
        idempotency_key: null,
        fingerprint: '',
        status: 'running',
      })
      .execute();
    return backfill_id;
  }

  rowOf(run: RunRow): Promise<RunRow> {
    return this.runs.get(run.job_id, 'key_a');
  }

  untilStatus(run: RunRow, status: string): Promise<void> {
    const check = async () => expect((await this.rowOf(run)).status).toBe(status);
    return vi.waitFor(check, IN_TIME);
  }
}

/** Gives a test file a models service without its gRPC side. Call at the top level of the file. */
export function testRuns(options: TestRunsOptions = {}): TestRuns {
  const servers = ownServers();
  const own = new TestRuns(options);
  beforeAll(() => own.start(servers.databaseUrl));
  afterAll(() => own.stop());
  return own;
}
