import type { CallOptions, FinishedJob, Job } from '../api-types.ts';
import { CallLimit } from '../call-limit.ts';
import { asQuery, type Asked } from '../call-options.ts';
import { finishedJob, followJob } from '../follow-job.ts';
import type { Transport } from '../transport.ts';

/** How long a run is waited for: trained cold it may take a minute, and others may stand before it in the queue. */
export const RUN_TIMEOUT_MS = 300_000;

type FollowOptions = Pick<CallOptions, 'signal' | 'timeoutMs'>;

export class Jobs {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Recent jobs of the key, newest first, without results. */
  async list(asked: Asked<'/api/v1/jobs'> = {}) {
    return (await this.#transport.get('/api/v1/jobs', asQuery(asked))).jobs;
  }

  /** One job, with its result while that is in memory. */
  get(jobId: string, options: CallOptions = {}) {
    return this.#transport.get('/api/v1/jobs/{job_id}', { path: { job_id: jobId }, ...options });
  }

  /** Ends a queued run at once and a running one soon; the job as it then stands. One that has ended stays as it is. */
  cancel(jobId: string, options: CallOptions = {}) {
    return this.#transport.post('/api/v1/jobs/{job_id}/cancel', { path: { job_id: jobId }, ...options });
  }

  /** What became of the picks of an earlier run in this one, and why. */
  diff(jobId: string, before: string, options: CallOptions = {}) {
    const asked = { path: { job_id: jobId }, query: { with: before } };
    return this.#transport.get('/api/v1/jobs/{job_id}/diff', { ...asked, ...options });
  }

  /** Why a name is among the picks of its run or not. */
  explain(jobId: string, ticker: string, options: CallOptions = {}) {
    const asked = { path: { job_id: jobId }, query: { ticker } };
    return this.#transport.get('/api/v1/jobs/{job_id}/explain', { ...asked, ...options });
  }

  /** The ONNX file of what its run has learnt. */
  model(jobId: string, options: CallOptions = {}) {
    return this.#transport.bytes('/api/v1/jobs/{job_id}/model', { path: { job_id: jobId }, ...options });
  }

  /**
   * The job as it stands and at every change of its status, to its end: without its result, which `wait` and `get` give.
   * Five minutes at most, unless `timeoutMs` says.
   */
  async *follow(jobId: string, { timeoutMs, signal }: FollowOptions = {}): AsyncGenerator<Job> {
    const limit = new CallLimit(timeoutMs ?? RUN_TIMEOUT_MS, signal);
    try {
      yield* followJob(this.#transport, jobId, limit);
    } finally {
      limit.close();
    }
  }

  /** The job once it has ended, however it has. */
  async wait(jobId: string, options: FollowOptions = {}): Promise<FinishedJob> {
    const limit = new CallLimit(options.timeoutMs ?? RUN_TIMEOUT_MS, options.signal);
    try {
      return await finishedJob(this.#transport, jobId, limit);
    } finally {
      limit.close();
    }
  }
}
