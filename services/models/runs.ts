import type { IdSource } from '#shared/ids.ts';
import { idempotencyConflict } from '#shared/idempotency.ts';
import { invalidRequest, outOfRange } from '#shared/invalid-request.ts';
import { ServiceError } from '#shared/service-error.ts';
import { effectiveAnalysisDate, type AnalysisDates } from './analysis-date.ts';
import type { Cancellations } from './cancellations.ts';
import type { Params } from './parameters.ts';
import type { RunRequests } from './run-requests.ts';
import { isFinal } from './run-states.ts';
import { validatedParams } from './run-validation.ts';
import type { RunWatchers } from './run-watchers.ts';
import type { IdempotencyKeys } from './store/idempotency-keys.ts';
import type { NewRun, Repeatable } from './store/insert-run.ts';
import type { RunRow, RunStore } from './store/run-store.ts';
import { repeatableOf, requireCaller, type Submission } from './submission.ts';
import { unavailable } from './unavailable.ts';
import type { UsageRecords } from './usage-records.ts';

/**
 * A run is accepted within this time or not at all. Together with the commit and with publishing the request it stays
 * under the 5 s that the gateway waits by default: a caller who reads 503 must not have started a run.
 */
export const ACCEPT_WITHIN_MS = 3_500;
/** What can be a job id at all; the database would choke on some of the rest. */
const JOB_ID = /^job_[0-9a-f]+$/;
const MAX_LISTED = 100;

export interface RunsDependencies {
  store: RunStore;
  keys: IdempotencyKeys;
  requests: RunRequests;
  usage: UsageRecords;
  watchers: RunWatchers;
  cancellations: Cancellations;
  dates: AnalysisDates;
  newId: IdSource;
  acceptWithinMs?: number;
}

export interface AcceptedRun {
  run: RunRow;
  /** Whether an earlier submission with the same idempotency key began it. */
  replayed: boolean;
}

/** Accepts model runs and follows them. */
export class Runs {
  readonly #deps: RunsDependencies;

  constructor(deps: RunsDependencies) {
    this.#deps = deps;
  }

  /**
   * Accepts a run once its row is written; whether the streams answer decides only how soon it starts and is
   * recorded. The row is not written any more once `signal` says that the caller has left. A repetition is answered with
   * the run that its idempotency key began, however that stands.
   * @throws ServiceError model_not_found, invalid_request, idempotency_conflict, or model_unavailable when the database
   * takes too long.
   */
  async submit(submission: Submission, signal: AbortSignal): Promise<AcceptedRun> {
    const { store, requests, usage, acceptWithinMs = ACCEPT_WITHIN_MS } = this.#deps;
    const acceptUntilMs = performance.now() + acceptWithinMs;
    const accepted = this.#newRun(submission);
    const repeatable = repeatableOf(submission);
    const leftMs = () => (signal.aborted ? 0 : acceptUntilMs - performance.now());
    const run = await store.insert(accepted, leftMs, repeatable);
    if (!run) return { run: await this.#begunBefore(accepted, repeatable), replayed: true };
    void usage.record(run);
    await requests.send(run);
    return { run, replayed: false };
  }

  #newRun(submission: Submission): NewRun {
    const { dates, newId } = this.#deps;
    const { model_id, view, api_key_id, end_user, channel, actor = api_key_id } = submission;
    const { request_id, trading_day } = submission;
    requireCaller(submission);
    const params = withEffectiveDate(validatedParams(submission), dates);
    return {
      ...{ job_id: newId('job'), event_id: newId('ue'), request_id, created_at: dates.clock() },
      ...{ api_key_id, end_user, channel, actor, model_id, view, params, trading_day },
    };
  }

  /** The run that kept this one from being written. Without one it was too late, and no key is used up. */
  async #begunBefore({ api_key_id, channel, created_at }: NewRun, repeatable?: Repeatable): Promise<RunRow> {
    const { keys } = this.#deps;
    const earlier = repeatable && (await keys.find({ api_key_id, channel, key: repeatable.key }, created_at));
    if (!earlier) throw unavailable();
    if (earlier.fingerprint !== repeatable.fingerprint) throw idempotencyConflict();
    return earlier.run;
  }

  /** @throws ServiceError job_not_found, also for another key's job. */
  async get(jobId: string, apiKeyId: string): Promise<RunRow> {
    const run = JOB_ID.test(jobId) ? await this.#deps.store.find(jobId, apiKeyId) : undefined;
    if (!run) throw new ServiceError('job_not_found', 'There is no such job.');
    return run;
  }

  /**
   * The run once its caller wants it no more: ended if it was waiting, else as it stands until its worker has seen that.
   * One that had ended stays as it is.
   * @throws ServiceError job_not_found, also for another key's job.
   */
  async cancel(jobId: string, apiKeyId: string): Promise<RunRow> {
    const run = await this.get(jobId, apiKeyId);
    if (isFinal(run.status)) return run;
    return (await this.#deps.cancellations.cancel(jobId)) ?? this.get(jobId, apiKeyId);
  }

  /** @throws ServiceError invalid_request for a limit outside 1 to 100. */
  async newest(apiKeyId: string, limit: number): Promise<RunRow[]> {
    if (limit < 1 || limit > MAX_LISTED) {
      throw invalidRequest([outOfRange(['query', 'limit'], 1, MAX_LISTED, limit)]);
    }
    return this.#deps.store.newestOf(apiKeyId, limit);
  }

  /** The run as it stands and after every change of its status, until it ends or the caller or the service stops. */
  async *watch(jobId: string, apiKeyId: string, signal: AbortSignal): AsyncGenerator<RunRow> {
    let seen: string | undefined;
    while (!signal.aborted) {
      const news = this.#deps.watchers.nextNews(jobId);
      signal.addEventListener('abort', news.cancel, { once: true });
      try {
        const run = await this.get(jobId, apiKeyId);
        if (run.status !== seen) yield run;
        if (isFinal(run.status)) return;
        seen = run.status;
        await news.arrived;
      } finally {
        signal.removeEventListener('abort', news.cancel);
        news.cancel();
      }
    }
  }
}

/** Every run carries the day it analyses, also one of a model that lets nobody choose it. */
function withEffectiveDate(params: Params, dates: AnalysisDates): Params {
  const requested = typeof params['analysis_date'] === 'string' ? params['analysis_date'] : 'today';
  return { ...params, analysis_date: effectiveAnalysisDate(requested, dates) };
}
