import { cutText } from '#shared/cut-text.ts';
import type { IdSource } from '#shared/ids.ts';
import { invalidRequest, outOfRange } from '#shared/invalid-request.ts';
import { ServiceError } from '#shared/service-error.ts';
import { effectiveAnalysisDate, type AnalysisDates } from './analysis-date.ts';
import { modelOf } from './catalogue/catalogue.ts';
import type { ModelDefinition } from './catalogue/model-definition.ts';
import { completeParams, type Params } from './parameters.ts';
import type { RunRequests } from './run-requests.ts';
import { isFinal } from './run-states.ts';
import type { RunWatchers } from './run-watchers.ts';
import type { RunRow, RunStore } from './store/run-store.ts';
import { unavailable } from './unavailable.ts';
import type { UsageRecords } from './usage-records.ts';

/**
 * A run is accepted within this time or not at all. Together with the commit and with publishing the request it stays
 * under the 5 s that the gateway waits by default: a caller who reads 503 must not have started a run.
 */
const ACCEPT_WITHIN_MS = 3_500;
/** What can be a job id at all; the database would choke on some of the rest. */
const JOB_ID = /^job_[0-9a-f]+$/;
const MAX_LISTED = 100;
const MAX_ECHOED_LENGTH = 40;

export interface Submission {
  model_id: string;
  params: Params | undefined;
  view: string;
  api_key_id: string;
  end_user: string;
  channel: string;
  request_id: string;
}

export interface RunsDependencies {
  store: RunStore;
  requests: RunRequests;
  usage: UsageRecords;
  watchers: RunWatchers;
  dates: AnalysisDates;
  newId: IdSource;
}

/** Accepts model runs and follows them. */
export class Runs {
  readonly #deps: RunsDependencies;

  constructor(deps: RunsDependencies) {
    this.#deps = deps;
  }

  /**
   * Accepts a run once its row is written; whether the streams answer decides only how soon it starts and is
   * recorded. The row is not written any more once `signal` says that the caller has left.
   * @throws ServiceError model_not_found, invalid_request, or model_unavailable when the database takes too long.
   */
  async submit({ model_id, params, view, ...caller }: Submission, signal: AbortSignal): Promise<RunRow> {
    const acceptUntilMs = performance.now() + ACCEPT_WITHIN_MS;
    const model = modelOf(model_id);
    refuseUnknownView(model, view);
    const completed = completeParams(model, params);
    const { store, requests, usage, dates, newId } = this.#deps;
    const accepted = {
      ...caller,
      job_id: newId('job'),
      event_id: newId('ue'),
      model_id,
      view,
      params: withEffectiveDate(completed, dates),
      created_at: dates.clock(),
    };
    const leftMs = () => (signal.aborted ? 0 : acceptUntilMs - performance.now());
    const run = await store.insert(accepted, leftMs);
    if (!run) throw unavailable();
    void usage.record(run);
    await requests.send(run);
    return run;
  }

  /** @throws ServiceError job_not_found, also for another key's job. */
  async get(jobId: string, apiKeyId: string): Promise<RunRow> {
    const run = JOB_ID.test(jobId) ? await this.#deps.store.find(jobId, apiKeyId) : undefined;
    if (!run) throw new ServiceError('job_not_found', 'There is no such job.');
    return run;
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

function refuseUnknownView(model: ModelDefinition, view: string): void {
  if (model.views.some((known) => known === view)) return;
  const msg = `must be ${model.views.join(' or ')} for ${model.id}`;
  const [input, ctx] = [cutText(view, MAX_ECHOED_LENGTH), { expected: [...model.views] }];
  throw invalidRequest([{ loc: ['query', 'view'], msg, type: 'enum', input, ctx }]);
}

/** Every run carries the day it analyses, also one of a model that lets nobody choose it. */
function withEffectiveDate(params: Params, dates: AnalysisDates): Params {
  const requested = typeof params['analysis_date'] === 'string' ? params['analysis_date'] : 'today';
  return { ...params, analysis_date: effectiveAnalysisDate(requested, dates) };
}
