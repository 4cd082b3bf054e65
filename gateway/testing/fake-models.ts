import { walkForwardEvidence } from '#models/results/evidence.ts';
import { MODELS } from '#models/registry.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Backfill, BackfillsServiceService } from '#proto/saring/models/v1/backfills.ts';
import { CatalogueServiceService } from '#proto/saring/models/v1/catalogue.ts';
import { RecordServiceService } from '#proto/saring/models/v1/record.ts';
import {
  RunsServiceService,
  type Job,
  type SubmitRunRequest,
  type SubmitRunResponse,
} from '#proto/saring/models/v1/runs.ts';
import type { Handlers } from '#platform/grpc/server.ts';
import { idempotencyConflict } from '#platform/wire/idempotency.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { answeringByExample, exampleNamed } from '#support/message-examples.ts';

const MODEL = {
  id: 'model_f_combined',
  name: 'Model F',
  category: 'swing',
  version: '1',
  evidence: walkForwardEvidence('model_f_combined'),
};

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
  if (id !== MODEL.id) throw new ServiceError('model_not_found', 'No such model.');
}

/** Runs that succeed once they are watched, and stay queued until then. */
export function fakeRuns(fake: FakeRuns): Handlers<RunsServiceService> {
  const jobs = new Map<string, Job>();
  const begun = new Map<string, { request: SubmitRunRequest; jobId: string }>();
  const jobOf = (id: string): Job => {
    const job = jobs.get(id);
    if (!job) throw new ServiceError('job_not_found', 'No such job.');
    return job;
  };
  const replay = (request: SubmitRunRequest): SubmitRunResponse | undefined => {
    const earlier = begun.get(request.idempotency_key ?? '');
    if (!earlier) return undefined;
    const requested = (of: SubmitRunRequest) => JSON.stringify({ ...of, submission_id: undefined });
    if (requested(earlier.request) !== requested(request)) throw idempotencyConflict();
    return { job: jobOf(earlier.jobId), replayed: true };
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
      const earlier = replay(request);
      if (earlier) return earlier;
      const job = newJob(`job_${jobs.size}`, request);
      jobs.set(job.job_id, job);
      if (request.idempotency_key) begun.set(request.idempotency_key, { request, jobId: job.job_id });
      return { job, replayed: false };
    },
    submitSimulation: async ({ params, end_user }) => {
      requireCertain();
      const job = { ...newJob(`job_${jobs.size}`, { ...SIMULATED, params, end_user }), kind: 'simulation' };
      jobs.set(job.job_id, job);
      return { job, replayed: false };
    },
    cancelRun: async ({ job_id }) => {
      const job = jobOf(job_id);
      if (job.status === 'queued')
        jobs.set(job_id, { ...job, status: 'failed', error_message: 'Dibatalkan.' });
      return { job: jobOf(job_id) };
    },
    listRuns: async () => ({ runs: [] }),
    getQueue: async () => ({ queued: 0, running: 0, oldest_queued_seconds: 0, points: [] }),
    getJob: async ({ job_id }) => ({ job: jobOf(job_id) }),
    getRunModel: async ({ job_id }) => {
      jobOf(job_id);
      return {
        onnx: Buffer.from([8, 8, 0x80, 0xff]),
        fingerprint: 'f',
        dataset_version: 'synthetic-20240628-1',
      };
    },
    explainRun: async ({ job_id, ticker, language }) => {
      jobOf(job_id);
      const explanation_json = Buffer.from(JSON.stringify({ ...EXPLANATION, ticker, message: language }));
      return { explanation_json, dataset_version: 'synthetic-20240628-1' };
    },
    diffRuns: async ({ job_id, with: other }) => {
      const side = { model_id: MODEL.id, as_of: '2024-06-28', ...DATASET, pick_count: 0 };
      const diff = {
        before: { job_id: jobOf(other).job_id, ...side },
        now: { job_id: jobOf(job_id).job_id, ...side },
        same_dataset: true,
        params_changed: [],
        entered: [],
        left: [],
        stayed: [],
      };
      return { diff_json: Buffer.from(JSON.stringify(diff)), ...DATASET };
    },
    listJobs: async ({ limit }) => {
      const listed = [...jobs.values()].slice(0, limit);
      return { jobs: listed, count: listed.length };
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

const DATASET = { dataset_version: 'synthetic-20240628-1' };

const EXPLANATION = {
  model_id: MODEL.id,
  as_of: '2024-06-28',
  picked: false,
  place: null,
  fell_at: 'total_liquid',
  steps: [
    { name: 'total_scanned', passed: true },
    { name: 'total_liquid', passed: false },
  ],
  shortfalls: [],
  contributions: null,
  reasons: [],
  notice: 'Ini bukan rekomendasi.',
  dataset_version: 'synthetic-20240628-1',
};

const SUCCEEDED: Partial<Job> = {
  status: 'succeeded',
  duration_seconds: 1.5,
  summary: { pick_count: 1, tickers: ['BBCA'], target_date: '2024-06-28' },
  result_json: Buffer.from('{"df_result":[{"Ticker":"BBCA"}],"target_date":"2024-06-28"}'),
  result_available: true,
  dataset_version: 'synthetic-20240628-1',
  evidence: MODEL.evidence,
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

/** One model with two parameters. */
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
  listModels: async () => ({ models: [MODEL] }),
  getModel: async ({ model_id }) => {
    requireModel(model_id);
    const bounded = {
      type: 'integer',
      default: 10,
      min: 1,
      max: 20,
      options: [],
      items: undefined,
      max_items: undefined,
      label: 'Jumlah pilihan',
      description: 'Banyak saham',
    };
    const items = { type: 'string' };
    const open = {
      ...bounded,
      type: 'array',
      default: [],
      min: undefined,
      max: undefined,
      items,
      label: '',
      description: '',
    };
    const explanation = { what: 'apa', when: 'kapan', how: 'bagaimana' };
    return { model: MODEL, params: { max_picks: bounded, positions: open }, explanation };
  },
};

/** A record of one month. */
export const fakeRecord: Handlers<RecordServiceService> = {
  ...answeringByExample(RecordServiceService),
  getRecord: async (request, call) => {
    requireModel(request.model_id);
    return answeringByExample(RecordServiceService).getRecord(request, call);
  },
};

export const BACKFILL_ID = 'bf_5f0c6f1e9a3b4d2c8e7f6a5b';

/** A backfill that has done one of its two days. */
export function fakeBackfills(): Handlers<BackfillsServiceService> {
  const backfill = (request: Partial<Backfill> = {}): Backfill => ({
    ...exampleNamed<Backfill>('models.v1.Backfill'),
    backfill_id: BACKFILL_ID,
    status: 'running',
    params: {},
    days_total: 2,
    days_done: 1,
    days_failed: 0,
    pages_url: `/api/v1/backfills/${BACKFILL_ID}/pages`,
    ...request,
  });
  const known = (backfill_id: string, change: Partial<Backfill> = {}) => {
    if (backfill_id !== BACKFILL_ID) throw new ServiceError('job_not_found', 'There is no such backfill.');
    return backfill(change);
  };
  return {
    startBackfill: async ({ model_id, from, to, step, end_user }) => {
      requireModel(model_id);
      return { backfill: backfill({ model_id, from, to, step, end_user }), replayed: false };
    },
    getBackfill: async ({ backfill_id }) => ({ backfill: known(backfill_id) }),
    listBackfills: async () => ({ backfills: [backfill()], count: 1 }),
    listBackfillPages: async ({ backfill_id }) => {
      known(backfill_id);
      const day = {
        as_of: '2024-06-21',
        status: 'failed',
        dataset_version: undefined,
        pick_count: 0,
        tickers: [],
        error_message: 'Data belum cukup.',
        is_history: true,
      };
      return { pages: [{ day, result_json: undefined, result_english: [] }], count: 1, next_url: undefined };
    },
    listPastPicks: async ({ model_id, to = '2024-06-21', step = 'day' }) => {
      requireModel(model_id);
      return { days: [], to, params: {}, step, backfill_id: backfill().backfill_id };
    },
    cancelBackfill: async ({ backfill_id }) => ({
      backfill: known(backfill_id, { status: 'failed', error_message: 'Dibatalkan.' }),
    }),
  };
}
