import type { IdSource } from '#shared/ids.ts';
import { ServiceError } from '#shared/service-error.ts';
import { effectiveAnalysisDate, type AnalysisDates } from './analysis-date.ts';
import { modelOf } from './catalogue/catalogue.ts';
import type { ModelDefinition } from './catalogue/model-definition.ts';
import { completeParams, type Params } from './parameters.ts';
import type { RunRequests } from './run-requests.ts';
import { isFinal } from './run-states.ts';
import type { RunWatchers } from './run-watchers.ts';
import type { RunRow, RunStore } from './store/run-store.ts';
import type { UsageRecords } from './usage-records.ts';

/** What can be a job id at all; the database would choke on some of the rest. */
const JOB_ID = /^job_[0-9a-f]+$/;

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
   * recorded.
   * @throws ServiceError model_not_found, invalid_request, or model_unavailable for a model without a screen.
   */
  async submit({ model_id, params, view, ...caller }: Submission): Promise<RunRow> {
    const model = modelOf(model_id);
    refuseUnknownView(model, view);
    const completed = completeParams(model, params);
    if (!model.isDeployed) {
      throw new ServiceError('model_unavailable', `${model.name} cannot be run on this server yet.`);
    }
    const { store, requests, usage, dates, newId } = this.#deps;
    const run = await store.insert({
      ...caller,
      job_id: newId('job'),
      event_id: newId('ue'),
      model_id,
      view,
      params: withEffectiveDate(completed, dates),
      created_at: dates.clock(),
    });
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
    if (limit < 1 || limit > 100) {
      const msg = 'must be from 1 to 100';
      const detail = [{ loc: ['query', 'limit'], msg, type: 'out_of_range', input: limit }];
      throw new ServiceError('invalid_request', `limit ${msg}`, { detail });
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
  const detail = [{ loc: ['query', 'view'], msg, type: 'enum', input: view.slice(0, 40) }];
  throw new ServiceError('invalid_request', `view ${msg}`, { detail });
}

/** Every run carries the day it analyses, also one of a model that lets nobody choose it. */
function withEffectiveDate(params: Params, dates: AnalysisDates): Params {
  const requested = typeof params['analysis_date'] === 'string' ? params['analysis_date'] : 'today';
  return { ...params, analysis_date: effectiveAnalysisDate(requested, dates) };
}
