import type { JsMsg } from '@nats-io/jetstream';
import { headers } from '@nats-io/transport-node';
import { RunFailure } from '#models/inputs/run-failure.ts';
import { BackfillDayEnded, BackfillDayRequested } from '#proto/saring/events/v1/backfills.ts';
import type { Logger } from '#platform/operations/logger.ts';
import { isAlreadyPublished, publishExpecting } from '#platform/nats/publish-expecting.ts';
import type { Nats } from '#platform/nats/connection.ts';
import { subjects } from '#platform/nats/subjects.ts';
import { endedWithin, pause } from '#platform/process/waiting.ts';
import { FAILURE } from './failures/failure-messages.ts';
import { errorTexts } from '#models/inputs/run-errors.ts';
import { retryOnNats } from './failures/retry.ts';
import type { Markets } from './market/markets.ts';
import type { PinnedMarkets } from './market/pinned-markets.ts';
import type { SharedMarket } from './market/shared-market.ts';
import type { ScreenThread } from './threads/screen-thread.ts';
import type { Outcome } from './threads/thread-messages.ts';
import type { ThreadPool } from './threads/thread-pool.ts';
import { RETRY_PAUSE_MS, workOn } from './work-queue.ts';

interface BackfillWorkerDependencies {
  nats: Nats;
  markets: Pick<Markets, 'used'>;
  pinnedMarkets: Pick<PinnedMarkets, 'of'>;
  pool: ThreadPool<ScreenThread>;
  log: Logger;
}

/** A day fails after this many workers began it and none survived to report it. */
const MAX_TRIES = 4;
/** How many workers had begun a day when it was put back into the queue. */
const TRIES = 'Saring-Tries';
/**
 * After this many interruptions by runs, a day is finished before the next run. Otherwise no backfill would end under constant
 * load.
 */
const MAX_ENDED = 5;
const PUBLISH_TIMEOUT_MS = 2_000;
const REPORT_FOR_MS = 60_000;
const STOP_WITHIN_MS = 3_000;

/** Runs days of backfills, as many at once as there are threads, while no run needs them. */
export class BackfillWorker {
  readonly #deps: BackfillWorkerDependencies;
  readonly #stopping = new AbortController();
  readonly #abandon = Promise.withResolvers<Outcome>();
  #working: Promise<void> | undefined;

  constructor(deps: BackfillWorkerDependencies) {
    this.#deps = deps;
  }

  start(): void {
    this.#working = this.#work();
  }

  /** Stops. The current days are put back for another worker, without waiting for their threads or for runs before them. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#abandon.resolve({ status: 'interrupted' });
    if (this.#working) await endedWithin(this.#working, STOP_WITHIN_MS);
  }

  async #work(): Promise<void> {
    const { nats, log, pool } = this.#deps;
    await this.#untilLoaded();
    const work = (message: JsMsg) => this.#deal(message);
    await workOn({ nats, stream: 'BACKFILLS', atOnce: pool.size, work, log, signal: this.#stopping.signal });
  }

  /** A worker that takes a day before it can run it would only keep it from others. */
  async #untilLoaded(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted && this.#deps.markets.used === undefined) await pause(RETRY_PAUSE_MS, signal);
  }

  async #deal(message: JsMsg): Promise<void> {
    const { log } = this.#deps;
    const { signal } = this.#stopping;
    const day = BackfillDayRequested.decode(message.data);
    await this.#untilLoaded();
    if (signal.aborted) return this.#putBack(message, day);
    const outcome =
      triesOf(message) >= MAX_TRIES
        ? { status: 'failed' as const, code: 'internal_error' as const, message: FAILURE.unexpected.in }
        : await Promise.race([this.#screen(day), this.#abandon.promise]);
    if (outcome.status === 'interrupted') return this.#putBack(message, day);
    const ended = BackfillDayEnded.encode(endOf(day, outcome)).finish();
    const publish = () =>
      this.#deps.nats.js.publish(subjects.backfillPage(day.backfill_id), ended, {
        msgID: `${day.backfill_id}.${day.as_of}`,
        timeout: PUBLISH_TIMEOUT_MS,
      });
    await retryOnNats('reporting a day of a backfill', publish, { forMs: REPORT_FOR_MS, log, signal });
    message.ack();
  }

  /**
   * Leaves the day to another worker as if this one had not taken it: a refused delivery would count as a try. A crash in
   * between leaves the day in the queue twice, and its page is written once.
   */
  async #putBack(message: JsMsg, { backfill_id, as_of }: BackfillDayRequested): Promise<void> {
    const subject = subjects.backfillDay(backfill_id, as_of);
    const carried = headers();
    carried.set(TRIES, String(triesOf(message)));
    try {
      await publishExpecting(this.#deps.nats.js, subject, message.data, {
        headers: carried,
        // Earlier versions request all days of a backfill on one other subject.
        expect: { lastSubjectSequence: message.subject === subject ? message.seq : 0 },
        timeout: PUBLISH_TIMEOUT_MS,
      });
    } catch (error) {
      // The subject’s last message is another one, or there is none: the day is back already, done, or withdrawn.
      if (!isAlreadyPublished(error)) throw error;
    }
    message.ack();
  }

  /** Runs the day, again after each run that interrupts it. Interrupted when the worker stops. */
  async #screen(day: BackfillDayRequested): Promise<Outcome> {
    try {
      return await this.#screenOn(day, () => this.#marketFor(day));
    } catch (error) {
      if (!(error instanceof RunFailure)) throw error;
      return { status: 'failed', code: error.code, message: error.reason.in };
    }
  }

  async #marketFor({ pinned_version }: BackfillDayRequested): Promise<SharedMarket> {
    const { markets, pinnedMarkets } = this.#deps;
    if (pinned_version === undefined) return markets.used!;
    return pinnedMarkets.of(pinned_version, this.#stopping.signal);
  }

  async #screenOn(
    { model_id, params = {}, as_of }: BackfillDayRequested,
    market: () => Promise<SharedMarket>,
  ): Promise<Outcome> {
    const { pool } = this.#deps;
    const { signal } = this.#stopping;
    const run = { model_id, params, analysis_date: as_of, view: 'full', isHistory: true } as const;
    for (let ended = 0; ; ended += 1) {
      const options = { signal, mayBeEnded: ended < MAX_ENDED };
      const { outcome, wasEnded } = await pool.day(await market(), run, options);
      const isAgain = outcome.status === 'interrupted' && wasEnded && !signal.aborted;
      if (!isAgain) return outcome;
    }
  }
}

/** How many workers began the day before this delivery. Each earlier delivery of the message began and was not reported. */
function triesOf({ headers: carried, info }: JsMsg): number {
  return Number(carried?.get(TRIES) || 0) + info.deliveryCount - 1;
}

function endOf(
  { backfill_id, as_of }: BackfillDayRequested,
  outcome: Exclude<Outcome, { status: 'interrupted' }>,
): BackfillDayEnded {
  const about = { backfill_id, as_of, dataset_version: outcome.datasetVersion };
  if (outcome.status === 'failed')
    return { ...about, english: [], tickers: [], ...errorTexts(outcome.message) };
  const { resultJson, english, summary } = outcome;
  return { ...about, result_json: Buffer.from(resultJson), english, tickers: summary.tickers };
}
