import { afterAll, beforeAll, expect, vi } from 'vitest';
import { BackfillDayRequested } from '#proto/saring/events/v1/backfills.ts';
import { RunFinished, RunRequested } from '#proto/saring/events/v1/runs.ts';
import { startModelWorker, type ModelWorkerOptions } from '#services/model-worker/create-model-worker.ts';
import { connectClickHouse } from '#platform/clickhouse/clickhouse.ts';
import { systemClock as clock } from '#foundation/clock.ts';
import { isQuick } from '#models/quick-runs.ts';
import { randomId } from '#foundation/ids.ts';
import { createLogger } from '#platform/operations/logger.ts';
import { connectNats, type Nats } from '#platform/nats/connection.ts';
import { subjects } from '#platform/nats/subjects.ts';
import { PrivateServer } from '../servers/private-server.ts';
import type { SmallMarket } from '../markets/small-market.ts';
import { IN_TIME } from '#support/hangs.ts';

const log = createLogger('test', 'silent');
const TRYING_THREAD = new URL('./trying-thread.ts', import.meta.url);

type TestWorkerOptions = Partial<
  Pick<ModelWorkerOptions, 'waitForDay' | 'patienceMs' | 'stopWithinMs' | 'runsAtOnce'>
>;

/** A worker as its process creates it, but with models for tests: see trying-screens.ts. */
export class TestWorker {
  /** The connection of the models service. */
  models!: Nats;
  /** Stops taking runs and days, as at the end of the process. */
  stopWorker!: () => Promise<unknown>;
  readonly #stops: (() => unknown)[] = [];

  async start(market: SmallMarket, options: TestWorkerOptions): Promise<void> {
    const natsServer = await PrivateServer.nats();
    this.#stops.push(() => natsServer.remove());
    const nats = await connectNats(natsServer.url, 'model-worker', log);
    this.models = await connectNats(natsServer.url, 'models', log);
    const clickhouse = connectClickHouse(market.url);
    const worker = startModelWorker({
      nats,
      clickhouse,
      clickhouseAt: { url: market.url },
      cacheDir: '',
      runsAtOnce: 1,
      trainerThreads: 2,
      reusesModels: false,
      patienceMs: 0,
      stopWithinMs: 7_000,
      clock,
      log,
      threadEntry: TRYING_THREAD,
      ...options,
    });
    this.stopWorker = () => worker.finish();
    this.#stops.push(
      () => nats.connection.close(),
      () => this.models.connection.close(),
      () => clickhouse.close(),
      () => worker.stop(),
      this.stopWorker,
    );
    expect(await this.endOf(await this.request('quick'))).toMatchObject({ status: 'succeeded' });
  }

  async stop(): Promise<void> {
    for (const stop of this.#stops.toReversed()) await stop();
  }

  /** Publishes a request for a run to the worker. */
  async request(model_id: string, params = {}, trading_day?: string): Promise<string> {
    const job_id = randomId('job');
    const run = { job_id, model_id, params, view: 'full', request_id: 'req_1', analysis_date: '2024-03-15' };
    const message = RunRequested.encode({
      ...run,
      trading_day,
      reports_scores: false,
      picks: undefined,
    }).finish();
    const subject = isQuick(model_id) ? subjects.quickRun : subjects.run;
    await this.models.js.publish(subject(model_id, job_id), message, { msgID: job_id });
    return job_id;
  }

  /** Publishes a request for a day of a backfill to the worker. Returns the subject of the request. */
  async requestDay(model_id: string, params: object): Promise<string> {
    const day = { backfill_id: randomId('bf'), model_id, params, as_of: '2024-03-15' };
    const subject = subjects.backfillDay(day.backfill_id, day.as_of);
    await this.models.js.publish(subject, BackfillDayRequested.encode(day).finish());
    return subject;
  }

  hasStarted(jobId: string): Promise<boolean> {
    return this.#read(subjects.runStarted(jobId)).then((event) => event !== undefined);
  }

  /** Waits for the end of a run and returns how it ended. */
  async endOf(jobId: string): Promise<RunFinished> {
    return RunFinished.decode(await this.#eventOf(subjects.runFinished(jobId)));
  }

  async untilStarted(jobId: string): Promise<void> {
    await this.#eventOf(subjects.runStarted(jobId));
  }

  /** Publishes one cancellation of the run. */
  cancel(jobId: string): void {
    this.models.connection.publish(subjects.runCancelled, jobId);
  }

  #eventOf(subject: string): Promise<Uint8Array> {
    const read = async () => {
      const event = await this.#read(subject);
      if (!event) throw new Error(`nothing on ${subject} yet`);
      return event;
    };
    return vi.waitFor(read, IN_TIME);
  }

  async #read(last_by_subj: string): Promise<Uint8Array | undefined> {
    return (await this.models.jsm.streams.getMessage('RUN_EVENTS', { last_by_subj }))?.data;
  }
}

/** Gives a test file a worker on a small market with its own NATS. Call at the top level of the file. */
export function testWorker(market: SmallMarket, options: TestWorkerOptions = {}): TestWorker {
  const own = new TestWorker();
  beforeAll(() => own.start(market, options));
  afterAll(() => own.stop());
  return own;
}
