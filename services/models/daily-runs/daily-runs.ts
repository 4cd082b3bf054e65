import type { Model } from '#models/model/model.ts';
import { MODELS } from '#models/registry.ts';
import { randomId } from '#foundation/ids.ts';
import { jakartaDay } from '#foundation/jakarta-time.ts';
import type { Logger } from '#platform/operations/logger.ts';
import { dayToAnalyse, type AnalysisDates } from '../analysis-day/analysis-date.ts';
import { OPERATOR } from '#shared/runs/operator-runs.ts';
import { isFinal } from '../store/run-states.ts';
import type { Runs } from '../runs/runs.ts';
import type { RecordStore } from '../store/record-store.ts';
import type { RunStore } from '../store/run-store.ts';
import type { ServedVersion } from '../record/served-market.ts';

/** For this long after a new version is served, the queue is left to the runs of users. */
const SETTLE_MS = 2_000;
/** If the queue is never empty, daily runs wait no longer than this. */
const MAX_WAIT_MS = 600_000;
/** Attempts in total. A run that failed or was interrupted is submitted again. */
const MAX_ATTEMPTS = 3;

interface DailyRunsDependencies {
  runs: Pick<Runs, 'submit'>;
  store: Pick<RunStore, 'hasUnfinished' | 'dailyRuns'>;
  record: Pick<RecordStore, 'hasRun'>;
  served: () => ServedVersion | undefined;
  dates: AnalysisDates;
  log: Logger;
  settleMs?: number;
  maxWaitMs?: number;
}

/**
 * Submits one run of each model with default parameters on every new trading day, in the operator's name. These runs
 * make up the public part of the record. They go one after another while no other run waits or runs, or after a maximum
 * wait. Copies of the service and restarts submit none twice, because each run has its own idempotency key, and later
 * its entry on record.
 */
export class DailyRuns {
  readonly #deps: DailyRunsDependencies;
  readonly #settleMs: number;
  readonly #maxWaitMs: number;
  #seen = { version: '', atMs: 0 };
  /** Models that are done for the served version. */
  readonly #done = new Set<string>();

  constructor(deps: DailyRunsDependencies) {
    this.#deps = deps;
    this.#settleMs = deps.settleMs ?? SETTLE_MS;
    this.#maxWaitMs = deps.maxWaitMs ?? MAX_WAIT_MS;
  }

  /** Submits the next run if one is due. */
  async poll(): Promise<void> {
    const served = this.#deps.served();
    if (!served || !this.#isAnalysable(served)) return;
    const sinceMs = this.#servedForMs(served);
    if (sinceMs < this.#settleMs) return;
    if (sinceMs < this.#maxWaitMs && (await this.#deps.store.hasUnfinished())) return;
    for (const model of MODELS) {
      if (this.#done.has(model.id)) continue;
      if (canRun(model, served) && (await this.#submit(model, served))) return;
      this.#done.add(model.id);
    }
  }

  #servedForMs({ version }: ServedVersion): number {
    if (version !== this.#seen.version) {
      this.#seen = { version, atMs: performance.now() };
      this.#done.clear();
    }
    return performance.now() - this.#seen.atMs;
  }

  /** Whether a run of today would analyse the last day, and that day can no longer change. */
  #isAnalysable({ kind, last_date }: ServedVersion): boolean {
    const { dates } = this.#deps;
    const isComplete = kind !== 'real' || last_date < jakartaDay(dates.clock());
    return isComplete && dayToAnalyse('today', undefined, dates).tradingDay === last_date;
  }

  /** Returns whether a run is in progress now. There is none once one has succeeded or too many have failed. */
  async #submit({ id: model_id }: Model, { kind, last_date }: ServedVersion): Promise<boolean> {
    const { runs, store, record, log } = this.#deps;
    const end_user = `daily-${kind}`;
    const of = { model_id, end_user, trading_day: last_date };
    const before = await store.dailyRuns(of);
    if (before.some(({ status }) => !isFinal(status))) return true;
    if (before.some(({ status }) => status === 'succeeded') || before.length >= MAX_ATTEMPTS) return false;
    if (
      await record.hasRun({ model_id, api_key_id: OPERATOR.api_key_id, dataset_kind: kind, as_of: last_date })
    )
      return false;
    const submission = {
      ...of,
      ...OPERATOR,
      params: {},
      view: 'full',
      request_id: randomId('req'),
      idempotency_key: `${model_id} ${end_user} ${last_date} ${before.length + 1}`,
    };
    const { run } = await runs.submit(submission, { signal: new AbortController().signal });
    log.info({ job_id: run.job_id, model_id, trading_day: last_date }, 'daily run submitted');
    return true;
  }
}

/** Whether the model needs no positions and has the broker rows it needs. */
function canRun({ picks, brokerNeeds }: Model, { broker_data }: ServedVersion): boolean {
  return picks && (!brokerNeeds || broker_data !== 'none');
}
