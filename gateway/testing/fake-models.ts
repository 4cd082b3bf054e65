import { MODELS } from '#models/registry.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { CatalogueServiceService } from '#proto/saring/models/v1/catalogue.ts';
import { RunsServiceService, type Job, type SubmitRunRequest } from '#proto/saring/models/v1/runs.ts';
import type { Handlers } from '#platform/grpc/server.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { answeringByExample, exampleNamed } from '#support/message-examples.ts';

/** The requests that the fake received, and how it must behave. */
export interface FakeRuns {
  submitted: SubmitRunRequest[];
  /** How long submitted runs take. */
  runTakesMs: number;
  /** Whether it is unknown what becomes of each submission. */
  isInDoubt?: boolean;
  /** Ids of the jobs that a caller has begun to watch. */
  watched: Set<string>;
  /** Ids of the jobs whose watch has ended. */
  unwatched: Set<string>;
}

function requireModel(id: string): void {
  if (id !== 'model_f_combined') throw new ServiceError('model_not_found', 'No such model.');
}

/** Runs that succeed once they are watched, and stay queued until then. */
export function fakeRuns(fake: FakeRuns): Handlers<RunsServiceService> {
  const jobs = new Map<string, Job>();
  const jobOf = (id: string): Job => {
    const job = jobs.get(id);
    if (!job) throw new ServiceError('job_not_found', 'No such job.');
    return job;
  };
  const requireCertain = () => {
    if (fake.isInDoubt) throw new ServiceError('model_unavailable', 'No.', { isInDoubt: true });
  };
  return {
    ...answeringByExample(RunsServiceService),
    submitRun: async (request) => {
      requireModel(request.model_id);
      fake.submitted.push(request);
      requireCertain();
      const job = newJob(`job_${jobs.size}`, request);
      jobs.set(job.job_id, job);
      return { job, replayed: false };
    },
    submitSimulation: async ({ params, end_user }) => {
      requireCertain();
      const job = { ...newJob(`job_${jobs.size}`, { ...SIMULATED, params, end_user }), kind: 'simulation' };
      jobs.set(job.job_id, job);
      return { job, replayed: false };
    },
    getQueue: async () => ({ queued: 0, running: 0, oldest_queued_seconds: 0, points: [] }),
    getJob: async ({ job_id }) => ({ job: jobOf(job_id) }),
    explainRun: async ({ job_id }) => {
      jobOf(job_id);
      return { explanation_json: Buffer.from('{}'), dataset_version: 'synthetic-20240628-1' };
    },
    watchRun: async function* ({ job_id }, { signal }) {
      fake.watched.add(job_id);
      signal.addEventListener('abort', () => fake.unwatched.add(job_id));
      const started_at = new Date();
      const running: Job = { ...jobOf(job_id), status: 'running', started_at, duration_seconds: 0.25 };
      jobs.set(job_id, running);
      yield { job: running };
      await sleep(fake.runTakesMs, undefined, { signal });
      const job = { ...running, ...SUCCEEDED, finished_at: new Date() };
      jobs.set(job_id, job);
      yield { job };
    },
  };
}

const SUCCEEDED: Partial<Job> = {
  status: 'succeeded',
  duration_seconds: 1.5,
  summary: { pick_count: 1, tickers: ['BBCA'], target_date: '2024-06-28' },
  result_json: Buffer.from('{"df_result":[{"Ticker":"BBCA"}],"target_date":"2024-06-28"}'),
  result_available: true,
  dataset_version: 'synthetic-20240628-1',
};

const JOB = exampleNamed<Job>('models.v1.Job');

const SIMULATED = { model_id: 'scr_5f0c6f1e9a3b4d2c8e7f6a5b', view: 'full' };

function newJob(
  job_id: string,
  {
    model_id,
    params = {},
    end_user,
    view,
  }: Pick<SubmitRunRequest, 'model_id' | 'params' | 'end_user' | 'view'>,
): Job {
  const begun = { status: 'queued', source: 'live', duration_seconds: 0, result_available: false };
  const poll_url = `/api/v1/jobs/${job_id}`;
  return { ...JOB, ...begun, job_id, target: model_id, params, end_user, view, poll_url, result_english: [] };
}

/** Of the first model, the dataset lacks something. */
export const fakeCatalogue: Handlers<CatalogueServiceService> = {
  ...answeringByExample(CatalogueServiceService),
  checkModels: async () => ({
    defaults_learnt: true,
    models: MODELS.map(({ id }, i) => ({
      id,
      ...(i === 0
        ? { shortfall: 'Data kurang.', shortfall_english: 'Too little data.' }
        : { shortfall: undefined, shortfall_english: undefined }),
    })),
  }),
};
