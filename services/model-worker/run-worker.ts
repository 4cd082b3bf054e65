import type { JsMsg } from '@nats-io/jetstream';
import { RunFailure } from '#models/inputs/run-failure.ts';
import { RunRequested } from '#proto/saring/events/v1/runs.ts';
import type { Clock } from '#foundation/clock.ts';
import type { DatasetFeed } from '#shared/market/dataset-feed.ts';
import type { Logger } from '#platform/operations/logger.ts';
import type { Nats } from '#platform/nats/connection.ts';
import { CANCELLED } from '#models/inputs/run-errors.ts';
import { subjects } from '#platform/nats/subjects.ts';
import { endedWithin } from '#platform/process/waiting.ts';
import type { CancelRequests } from './cancel-requests.ts';
import { unreadableFor } from './failures/failure-messages.ts';
import type { RunClaims } from './run-claims.ts';
import type { RunReports } from './run-reports.ts';
import type { Markets } from './market/markets.ts';
import type { PinnedMarkets } from './market/pinned-markets.ts';
import type { ScreenThread } from './threads/screen-thread.ts';
import type { Outcome, ThreadRun } from './threads/thread-messages.ts';
import type { ThreadPool } from './threads/thread-pool.ts';
import { RETRY_PAUSE_MS, workOn } from './work-queue.ts';
import { observeRun, RunSpans } from './run-telemetry.ts';

interface RunWorkerDependencies {
  nats: Nats;
  claims: RunClaims;
  reports: RunReports;
  cancelRequests: CancelRequests;
  markets: Pick<Markets, 'marketFor' | 'reaches'>;
  pinnedMarkets: Pick<PinnedMarkets, 'of'>;
  pool: ThreadPool<ScreenThread>;
  feed: DatasetFeed;
  clock: Clock;
  log: Logger;
  /** How long a run waits for an unavailable ClickHouse. After that it is taken and fails. */
  patienceMs: number;
  stopWithinMs: number;
  /** How often a run waits for its trading day, and for how long each time. */
  waitForDay?: { times: number; pauseMs: number };
}

/**
 * How often a run waits for a trading day that no dataset contains: for two minutes in total, in case its version was replaced.
 * After that it is taken and fails.
 */
const WAIT_FOR_DAY = { times: 40, pauseMs: 3_000 };
const ACK_TIMEOUT_MS = 2_000;
/** The part of a stop that is left to report a run, and then to stop everything else. */
const REPORT_WITHIN_MS = 1_500;
const STOP_THE_REST_WITHIN_MS = 2_000;

/** Those that may train, and the others, which must not wait behind them. */
const QUEUES = [
  { name: 'workers', subject: subjects.run('*', '*') },
  { name: 'quick', subject: subjects.quickRun('*', '*') },
];

/** Takes as many runs at once from each queue as there are threads that train, until the process stops. */
export class RunWorker {
  readonly #deps: RunWorkerDependencies;
  readonly #stopping = new AbortController();
  readonly #hurry = new AbortController();
  /** Aborts when the current runs must end. */
  readonly #abandoning = new AbortController();
  readonly #abandon = Promise.withResolvers<Outcome>();
  #working: Promise<unknown> | undefined;

  constructor(deps: RunWorkerDependencies) {
    this.#deps = deps;
  }

  start(): void {
    const { nats, log, pool } = this.#deps;
    const work = (message: JsMsg) => this.#deal(message);
    const { signal } = this.#stopping;
    const each = QUEUES.map((queue) =>
      workOn({ nats, stream: 'RUNS', queue, atOnce: pool.size, work, log, signal }),
    );
    this.#working = Promise.all(each);
  }

  /** Takes no new run. The current runs have most of the stop to finish and are then reported as interrupted. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    const finishWithinMs = this.#deps.stopWithinMs - REPORT_WITHIN_MS - STOP_THE_REST_WITHIN_MS;
    const abandon = setTimeout(() => {
      this.#abandoning.abort();
      this.#abandon.resolve({ status: 'interrupted' });
      this.#hurry.abort();
    }, finishWithinMs);
    if (this.#working) await endedWithin(this.#working, finishWithinMs + REPORT_WITHIN_MS);
    clearTimeout(abandon);
  }

  async #deal(message: JsMsg): Promise<void> {
    const { log } = this.#deps;
    const request = decode(message);
    if (!request) {
      log.error({ subject: message.subject }, 'request of an unknown form dropped');
      return message.term('not a request');
    }
    const turn = await this.#turnOf(request, message);
    if (turn === 'later') {
      const { pauseMs } = this.#deps.waitForDay ?? WAIT_FOR_DAY;
      log.debug({ job_id: request.job_id, trading_day: request.trading_day }, 'run waits for its dataset');
      return message.nak(pauseMs);
    }
    if (!(await this.#runIfOurs(request, turn, message))) return this.#dealWithTaken(message, request.job_id);
    await message.ackAck({ timeout: ACK_TIMEOUT_MS }).catch((error: unknown) => {
      log.debug({ reason: (error as Error).message }, 'request not acknowledged; it will be found finished');
    });
  }

  /**
   * Whether the run can be screened now, must wait, or ends without being screened. Checks again for a dataset unknown to this
   * worker, because one may just have been published. A run without any dataset is taken, and fails with a message that says
   * so.
   */
  async #turnOf(
    { trading_day = '', pinned_version }: RunRequested,
    message: JsMsg,
  ): Promise<'now' | 'later' | Outcome> {
    if (pinned_version !== undefined) return 'now';
    const { feed, markets, patienceMs, waitForDay = WAIT_FOR_DAY } = this.#deps;
    const reaches = await feed.reach(trading_day);
    if (feed.unavailableForMs > 0 && !markets.reaches(trading_day)) {
      // The shorter of two times: a run may have been accepted late in a long outage, or queued before a short one began.
      const waitedMs = Math.min(feed.unavailableForMs, Date.now() - message.time.getTime());
      if (waitedMs < patienceMs) return 'later';
      return { status: 'failed', code: 'data_unavailable', message: unreadableFor(patienceMs).in };
    }
    // Counts deliveries, which all workers share and which do not depend on a clock.
    const isGivenUp = message.info.deliveryCount > waitForDay.times;
    return reaches || trading_day === '' || isGivenUp ? 'now' : 'later';
  }

  async #runIfOurs(request: RunRequested, turn: 'now' | Outcome, message: JsMsg): Promise<boolean> {
    const { claims, cancelRequests, clock } = this.#deps;
    const cancelled = new AbortController();
    const stopListening = cancelRequests.listenFor(request.job_id, () => cancelled.abort());
    try {
      const startedAt = clock();
      const isOurs = await claims.claim(request.job_id, startedAt, this.#hurry.signal);
      if (isOurs) await this.#run(request, startedAt, turn, cancelled.signal, message);
      return isOurs;
    } finally {
      stopListening();
    }
  }

  async #run(
    request: RunRequested,
    startedAt: Date,
    turn: 'now' | Outcome,
    cancelled: AbortSignal,
    message: JsMsg,
  ): Promise<void> {
    const { claims, reports, log } = this.#deps;
    const { job_id, model_id, request_id } = request;
    const stopBeating = claims.beatFor(job_id);
    const begun = performance.now();
    const spans = new RunSpans(request, message);
    try {
      const screening = turn === 'now' ? this.#screen(request, cancelled) : turn;
      const screened = await Promise.race([screening, this.#abandon.promise]);
      const outcome = cancelled.aborted ? endOfCancelled(screened) : screened;
      spans.screened(outcome);
      const { traceparent } = spans;
      await reports.report({ jobId: job_id, startedAt, outcome, traceparent }, this.#hurry.signal);
      spans.reported(outcome);
      const ms = Math.round(performance.now() - begun);
      observeRun(model_id, outcome, ms / 1_000);
      log.info({ job_id, request_id, model_id, status: outcome.status, ms }, 'run finished');
    } finally {
      stopBeating();
    }
  }

  async #screen(request: RunRequested, cancelled: AbortSignal): Promise<Outcome> {
    const { model_id, analysis_date, params = {}, view, reports_scores, picks } = request;
    const { trading_day = '', pinned_version } = request;
    const { markets, pinnedMarkets, pool } = this.#deps;
    const signal = AbortSignal.any([cancelled, this.#abandoning.signal]);
    const run: ThreadRun = {
      model_id,
      analysis_date,
      params: picks ? { ...params, picks } : params,
      view: view === 'compact' ? 'compact' : 'full',
      begunAtMs: performance.timeOrigin + performance.now(),
      reportsScores: reports_scores,
    };
    try {
      const market =
        pinned_version === undefined
          ? await markets.marketFor(trading_day, signal)
          : await pinnedMarkets.of(pinned_version, signal);
      return await pool.run(market, run, signal);
    } catch (error) {
      if (signal.aborted) return { status: 'interrupted' };
      if (!(error instanceof RunFailure)) throw error;
      return { status: 'failed', code: error.code, message: error.reason.in };
    }
  }

  /** A job is never run twice: its worker is running it, has finished it, or is gone and leaves it interrupted. */
  async #dealWithTaken(message: JsMsg, jobId: string): Promise<void> {
    const { claims, reports, log } = this.#deps;
    const state = await claims.otherWorkersRun(jobId);
    if (state === 'unknown') return message.nak(RETRY_PAUSE_MS);
    if (state === 'lost') {
      log.warn({ job_id: jobId }, 'the worker of this run is gone; the run is interrupted');
      await reports.report({ jobId, outcome: { status: 'interrupted' } }, this.#hurry.signal);
    }
    message.term(`run is ${state}`);
  }
}

/**
 * A run that was interrupted because it was cancelled must not run again. A run that had already finished keeps its outcome.
 */
function endOfCancelled(outcome: Outcome): Outcome {
  return outcome.status === 'interrupted'
    ? { status: 'failed', code: 'cancelled', message: CANCELLED.in }
    : outcome;
}

function decode({ data }: JsMsg): RunRequested | undefined {
  try {
    const request = RunRequested.decode(data);
    return request.job_id && request.model_id ? request : undefined;
  } catch {
    return undefined;
  }
}
