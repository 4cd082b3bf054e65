import type { CallOptions, FinishedJob, Job } from '../api-types.ts';
import { CallLimit } from '../call-limit.ts';
import { asQuery, type QueryOptions } from '../call-options.ts';
import { finishedJob, followJob } from '../following/follow-job.ts';
import type { Transport } from '../transport.ts';

/** How long to wait for a run. One that trains from scratch may take a minute, and others may be ahead in the queue. */
export const RUN_TIMEOUT_MS = 300_000;

type FollowOptions = Pick<CallOptions, 'signal' | 'timeoutMs'>;

export class Jobs {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Recent jobs of the key, newest first, without results. */
  async list(requested: QueryOptions<'/api/v1/jobs'> = {}) {
    return (await this.#transport.get('/api/v1/jobs', asQuery(requested))).jobs;
  }

  /** One job, with its result while the service still has it in memory. */
  get(jobId: string, options: CallOptions = {}) {
    return this.#transport.get('/api/v1/jobs/{job_id}', { path: { job_id: jobId }, ...options });
  }

  /** Ends a queued run immediately, a running one soon, and returns the new state. One that has ended does not change. */
  cancel(jobId: string, options: CallOptions = {}) {
    return this.#transport.post('/api/v1/jobs/{job_id}/cancel', { path: { job_id: jobId }, ...options });
  }

  /** What happened in this run to the picks of an earlier one, and why. */
  diff(jobId: string, before: string, options: CallOptions = {}) {
    const requested = { path: { job_id: jobId }, query: { with: before } };
    return this.#transport.get('/api/v1/jobs/{job_id}/diff', { ...requested, ...options });
  }

  /** Why a stock is or is not among the picks of a run. */
  explain(jobId: string, ticker: string, options: CallOptions = {}) {
    const requested = { path: { job_id: jobId }, query: { ticker } };
    return this.#transport.get('/api/v1/jobs/{job_id}/explain', { ...requested, ...options });
  }

  /** The ONNX file of the model that the run trained. */
  model(jobId: string, options: CallOptions = {}) {
    return this.#transport.bytes('/api/v1/jobs/{job_id}/model', { path: { job_id: jobId }, ...options });
  }

  /**
   * Yields the job as it is now and at every change of its status, until it ends. The job comes without its result;
   * `wait` and `get` return that. Waits five minutes at most, unless `timeoutMs` says otherwise.
   */
  async *follow(jobId: string, { timeoutMs, signal }: FollowOptions = {}): AsyncGenerator<Job> {
    const limit = new CallLimit(timeoutMs ?? RUN_TIMEOUT_MS, signal);
    try {
      yield* followJob(this.#transport, jobId, limit);
    } finally {
      limit.close();
    }
  }

  /** Resolves to the job once it has ended, whatever its outcome. */
  async wait(jobId: string, options: FollowOptions = {}): Promise<FinishedJob> {
    const limit = new CallLimit(options.timeoutMs ?? RUN_TIMEOUT_MS, options.signal);
    try {
      return await finishedJob(this.#transport, jobId, limit);
    } finally {
      limit.close();
    }
  }
}
