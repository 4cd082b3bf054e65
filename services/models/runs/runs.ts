import type { IdSource } from '#foundation/ids.ts';
import { fingerprintOf } from '#platform/wire/idempotency.ts';
import { refuse } from '#foundation/errors/invalid-request.ts';
import type { SubmitRunRequest } from '#proto/saring/models/v1/runs.ts';
import { SimulatedPicks } from '#proto/saring/wire/v1/simulation.ts';
import { isTestKey, marketOfKey } from '#foundation/test-market.ts';
import { isOwnRun } from '#shared/runs/operator-runs.ts';
import type { Claims } from '#platform/postgres/claimed-rows.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { daysUnknown } from '../analysis-day/trading-days.ts';
import { dayToAnalyse, type AnalysisDates, type SpanDates } from '../analysis-day/analysis-date.ts';
import { datesOfKey, type TestMarketDays } from '../analysis-day/test-market-days.ts';
import type { Cancellations } from './cancellations.ts';
import type { RequestedStocks } from './requested-stocks.ts';
import type { RunTurns } from './run-turns.ts';
import { isFinal } from '../store/run-states.ts';
import { validatedParams, type Params } from '../catalogue/parameters.ts';
import type { RowWatchers } from '#platform/nats/row-watchers.ts';
import type { NewRun, OwnerOfKey } from '../store/insert-run.ts';
import type { RunFilter, RunStore } from '../store/run-store.ts';
import { unavailable } from '../store/unavailable.ts';
import type { UsageRecords } from '../usage-records/usage-records.ts';
import type { RunRow } from '../store/tables.ts';
import { endedWithin } from '#platform/process/waiting.ts';

/**
 * A run is accepted within this time or not at all. Together with the commit and publishing the request, it stays under
 * the 5 s that the gateway waits by default: a caller who receives 503 must not have started a run.
 */
export const ACCEPT_WITHIN_MS = 3_500;
/** The part of a caller's deadline that is reserved for the commit, publishing and the response. */
const RESPONSE_MS = 1_500;
/**
 * How long a submission waits for the run to start. An idle worker starts it sooner; otherwise the caller should not
 * wait.
 */
const BEGINS_WITHIN_MS = 50;
/**
 * How long a submission waits for the days of the dataset. They are read every second. A run that is accepted without them would
 * name a day that the dataset may not have.
 */
const DAYS_WITHIN_MS = 2_000;
/** The form of a job id. PostgreSQL would reject some other texts with an error. */
const JOB_ID = /^job_[0-9a-f]+$/;

/** A requested run, or a simulation, which no model runs and whose parameters have been prepared. */
export interface Submission extends SubmitRunRequest {
  /** The picks that a simulation follows; absent for a run of a model. */
  picks?: SimulatedPicks | undefined;
  request_id: string;
}

export interface RunsDependencies {
  store: RunStore;
  turns: Pick<RunTurns, 'send'>;
  usage: Pick<UsageRecords, 'record'>;
  watchers: Pick<RowWatchers, 'nextUpdate'>;
  cancellations: Pick<Cancellations, 'cancel'>;
  dates: SpanDates;
  testDays: Pick<TestMarketDays, 'read'>;
  stocks: Pick<RequestedStocks, 'named'>;
  newId: IdSource;
  acceptWithinMs?: number;
  beginsWithinMs?: number;
}

interface Waiting {
  /** Aborts when the caller has left. */
  signal: AbortSignal;
  /** Time until the caller's deadline, in milliseconds; no deadline if absent. */
  remainingMs?: number | undefined;
  /** W3C trace context that the run belongs to. */
  traceparent?: string | undefined;
}

export interface AcceptedRun {
  run: RunRow;
  /** Whether an earlier submission with the same idempotency key started the run. */
  replayed: boolean;
}

export class Runs {
  readonly #deps: RunsDependencies;

  constructor(deps: RunsDependencies) {
    this.#deps = deps;
  }

  /**
   * Accepts a run once its row is written; whether the streams answer only affects how soon the run starts and is
   * recorded. The row is no longer written once the caller has left or is unlikely to get the answer in time. A
   * repetition returns the run that its submission, or its idempotency key, has started, in its current state.
   * @throws ServiceError model_not_found, invalid_request, idempotency_conflict, data_unavailable while the days of the dataset are
   *   not known, not_found and data_unavailable for `tickers` as {@link RequestedStocks} and for the test market as
   *   {@link datesOfKey}, or model_unavailable when the database takes too long: this call has not accepted the run and,
   *   unless the error is in doubt, the run will not be accepted later either.
   */
  async submit(
    submission: Submission,
    { signal, remainingMs = Infinity, traceparent }: Waiting,
  ): Promise<AcceptedRun> {
    const { store, turns, usage, dates, testDays, acceptWithinMs = ACCEPT_WITHIN_MS } = this.#deps;
    const acceptUntilMs = performance.now() + Math.min(acceptWithinMs, remainingMs - RESPONSE_MS);
    const leftMs = () => (signal.aborted ? 0 : acceptUntilMs - performance.now());
    const datesOfRun = await datesOfKey(dates, testDays, submission.api_key_id);
    const daysWithinMs = Math.min(DAYS_WITHIN_MS, leftMs() / 2);
    const isDayKnown =
      submission.trading_day !== undefined || (await datesOfRun.tradingDays.areKnownWithin(daysWithinMs));
    const requested = { ...this.#newRun(submission, datesOfRun), traceparent };
    const claims = claimsOf(submission);
    if (!isDayKnown) return this.#begunBefore(requested, claims, signal, daysUnknown());
    const accepted = await this.#withStocks(requested).catch((error: Error) => error);
    if (accepted instanceof Error) return this.#begunBefore(requested, claims, signal, accepted);
    const run = leftMs() > 0 ? await store.insert(accepted, leftMs, claims) : undefined;
    if (!run) return this.#begunBefore(accepted, claims, signal);
    void usage.record(run);
    const sent = await turns.send(run);
    return { run: sent === 'published' ? await this.#begunAtOnce(run) : run, replayed: false };
  }

  /** Returns the run as running if an idle worker starts it within a moment, otherwise as accepted. */
  async #begunAtOnce(run: RunRow): Promise<RunRow> {
    const { store, watchers, beginsWithinMs = BEGINS_WITHIN_MS } = this.#deps;
    const update = watchers.nextUpdate(run.job_id);
    const now = () => store.find(run.job_id, run.api_key_id).catch(() => undefined);
    try {
      let seen = await now();
      if (seen?.status === 'queued') {
        await endedWithin(update.arrived, beginsWithinMs);
        seen = await now();
      }
      return seen?.status === 'running' ? seen : run;
    } finally {
      update.cancel();
    }
  }

  async #withStocks(run: NewRun): Promise<NewRun> {
    const asOf = run.target_date ?? String(run.params['analysis_date']);
    const market = marketOfKey(run.api_key_id);
    return { ...run, params: await this.#deps.stocks.named(run.params, asOf, market) };
  }

  #newRun(submission: Submission, datesOfRun: AnalysisDates): NewRun {
    const { dates, newId } = this.#deps;
    const { model_id, view, api_key_id, end_user, channel, actor = api_key_id } = submission;
    const { request_id, picks } = submission;
    const params = picks ? simulationParams(submission) : validatedParams(submission);
    const requested = typeof params['analysis_date'] === 'string' ? params['analysis_date'] : 'today';
    // Days of the served market say nothing of another one.
    const known = isTestKey(api_key_id) ? undefined : submission.trading_day;
    const { date, tradingDay, awaited } = dayToAnalyse(requested, known, datesOfRun);
    return {
      job_id: newId('job'),
      event_id: newId('ue'),
      request_id,
      created_at: dates.clock(),
      api_key_id,
      end_user,
      channel,
      actor,
      model_id,
      view,
      trading_day: awaited,
      params: { ...params, analysis_date: date },
      target_date: tradingDay,
      picks: picks && Buffer.from(SimulatedPicks.encode(picks).finish()),
    };
  }

  /**
   * Finds the run that kept this one from being written.
   * @throws `reason` if there is none
   */
  async #begunBefore(
    run: NewRun,
    claims: Claims,
    signal: AbortSignal,
    reason: Error = unavailable(),
  ): Promise<AcceptedRun> {
    const { claimed } = this.#deps.store;
    const begun = await claimed.madeInstead(run, claims, { now: run.created_at, signal });
    if (!begun) throw reason;
    return { run: begun.row, replayed: begun.replayed };
  }

  /** From now on, no run starts under this idempotency key. Returns the job that was started under it, if any. */
  closeKey({ key, ...owner }: OwnerOfKey & { key: string }): Promise<string | undefined> {
    return this.#deps.store.claimed.close(owner, key, this.#deps.dates.clock());
  }

  /** @throws ServiceError job_not_found, also for another key's job. */
  async get(jobId: string, apiKeyId: string): Promise<RunRow> {
    const run = JOB_ID.test(jobId) ? await this.#deps.store.find(jobId, apiKeyId) : undefined;
    if (!run) throw new ServiceError('job_not_found', 'There is no such job.');
    return run;
  }

  /**
   * Cancels the run. A waiting run ends immediately; a running one keeps its state until its worker sees the
   * cancellation. A run that has ended stays unchanged.
   * @throws ServiceError job_not_found, also for another key's job.
   */
  async cancel(jobId: string, apiKeyId: string): Promise<RunRow> {
    const run = await this.get(jobId, apiKeyId);
    if (isFinal(run.status)) return run;
    return (await this.#deps.cancellations.cancel(jobId)) ?? this.get(jobId, apiKeyId);
  }

  /** Runs of every key, newest first. */
  async ofEveryKey(filter: RunFilter, limit: number): Promise<RunRow[]> {
    return this.#deps.store.ofEveryKey(filter, limit);
  }

  async queueOver(minutes: number): ReturnType<RunStore['queueOver']> {
    return this.#deps.store.queueOver(minutes);
  }

  async newest(apiKeyId: string, limit: number): Promise<RunRow[]> {
    return this.#deps.store.newestOf(apiKeyId, limit);
  }

  /**
   * Yields the run as it is now and after every change of its status, until it ends or the caller or the service stops.
   */
  async *watch(jobId: string, apiKeyId: string, signal: AbortSignal): AsyncGenerator<RunRow> {
    let seen: string | undefined;
    while (!signal.aborted) {
      const update = this.#deps.watchers.nextUpdate(jobId);
      signal.addEventListener('abort', update.cancel, { once: true });
      try {
        const run = await this.get(jobId, apiKeyId);
        if (run.status !== seen) yield run;
        if (isFinal(run.status)) return;
        seen = run.status;
        await update.arrived;
      } finally {
        signal.removeEventListener('abort', update.cancel);
        update.cancel();
      }
    }
  }
}

/**
 * Refuses a request in the name of the service itself. Only the service submits its own runs.
 * @throws ServiceError invalid_request
 */
export function requireTenant({ api_key_id }: Pick<Submission, 'api_key_id'>): void {
  if (!isOwnRun({ api_key_id })) return;
  const msg = 'must be the id of an API key';
  refuse([{ loc: ['api_key_id'], msg, type: 'value_error', input: api_key_id }]);
}

/** The run of a simulation analyses its last day. */
function simulationParams({ params = {} }: Submission): Params {
  return { ...params, analysis_date: params['to'] };
}

/**
 * The ids under which a submission may start only one run. A repetition is identified by the key and everything that describes the
 * requested run, as requested. What new data change in a simulation, its picks and its last trading day, is no part of that.
 */
function claimsOf(submission: Submission): Claims {
  const { submission_id: submissionId, idempotency_key: key } = submission;
  if (key === undefined) return { submissionId };
  const { model_id, params = {}, view, end_user, picks } = submission;
  const trading_day = picks ? undefined : submission.trading_day;
  const fingerprint = fingerprintOf({ model_id, params, view, end_user, trading_day });
  return { submissionId, repeatable: { key, fingerprint } };
}
