import type { JetStreamClient } from '@nats-io/jetstream';
import { RunRequested } from '#proto/saring/events/v1/runs.ts';
import { SimulatedPicks } from '#proto/saring/wire/v1/simulation.ts';
import type { Clock } from '#foundation/clock.ts';
import type { Logger } from '#platform/operations/logger.ts';
import { isDaily } from '#shared/runs/operator-runs.ts';
import { isQuick } from '#models/quick-runs.ts';
import { isAlreadyPublished, publishExpecting } from '#platform/nats/publish-expecting.ts';
import { subjects } from '#platform/nats/subjects.ts';
import { withTrace } from '#platform/nats/trace-headers.ts';
import type { NatsPresence } from '#platform/nats/nats-presence.ts';
import { pinnedVersionOf, type TestMarketDays } from '../analysis-day/test-market-days.ts';
import { publicationAfter, type Publication } from '../nats/publication.ts';
import type { RunStore } from '../store/run-store.ts';
import type { RunRow } from '../store/tables.ts';

/** A submission waits no longer than this for an unavailable stream. The sweeper sends the request later. */
export const PUBLISH_TIMEOUT_MS = 750;

interface RunRequestsDependencies {
  js: JetStreamClient;
  nats: NatsPresence;
  store: RunStore;
  testDays: Pick<TestMarketDays, 'read'>;
  clock: Clock;
  log: Logger;
}

/** How long a failure counts. While a run waits, the sweeper tries again sooner. */
const OF_LATE_MS = 10_000;

export class RunRequests {
  readonly #deps: RunRequestsDependencies;
  #failedAtMs = -Infinity;

  constructor(deps: RunRequestsDependencies) {
    this.#deps = deps;
  }

  /** Whether the last attempt to reach the stream failed within the last seconds. */
  get hasFailedOfLate(): boolean {
    return performance.now() - this.#failedAtMs < OF_LATE_MS;
  }

  /**
   * Sends the request, then marks it as sent in the background, so that no caller waits for that. Sending again is
   * harmless: the stream refuses a request while one for the job waits, drops a message id that it has seen of late, and a
   * worker never runs a job that was already started. Never throws.
   */
  async send(run: RunRow): Promise<Publication> {
    const { js, nats, testDays, log } = this.#deps;
    if (!nats.isHere) return 'unavailable';
    const { job_id, model_id, params, view, request_id, traceparent, api_key_id } = run;
    const trading_day = run.trading_day ?? undefined;
    const reports_scores = isDaily(run);
    const picks = run.picks ? SimulatedPicks.decode(run.picks) : undefined;
    try {
      const analysis_date = String(params['analysis_date']);
      const request = {
        job_id,
        model_id,
        params,
        view,
        request_id,
        analysis_date,
        trading_day,
        reports_scores,
        picks,
        pinned_version: await pinnedVersionOf(testDays, api_key_id),
      };
      const message = RunRequested.encode(request).finish();
      const subject = isQuick(model_id) ? subjects.quickRun : subjects.run;
      await publishExpecting(js, subject(model_id, job_id), message, {
        msgID: job_id,
        expect: { lastSubjectSequence: 0 },
        timeout: PUBLISH_TIMEOUT_MS,
        ...withTrace(traceparent),
      });
    } catch (error) {
      if (isAlreadyPublished(error)) return this.#published(job_id);
      const outcome = publicationAfter(error);
      if (outcome === 'unavailable') this.#failedAtMs = performance.now();
      log.warn({ job_id, outcome, reason: (error as Error).message }, 'run request not sent yet');
      return outcome;
    }
    return this.#published(job_id);
  }

  #published(jobId: string): 'published' {
    this.#failedAtMs = -Infinity;
    void this.#remember(jobId);
    return 'published';
  }

  /** If this fails, the sweeper sends the request again. */
  async #remember(jobId: string): Promise<void> {
    const { store, clock, log } = this.#deps;
    try {
      await store.markRequested(jobId, clock());
    } catch (error) {
      log.warn({ job_id: jobId, reason: (error as Error).message }, 'run request sent but not remembered');
    }
  }
}
