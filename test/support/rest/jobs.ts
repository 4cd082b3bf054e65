import { setTimeout as sleep } from 'node:timers/promises';
import { IN_TIME } from '../hangs.ts';
import type { Rest } from './rest.ts';

export interface JobBody {
  job_id: string;
  status: string;
  source?: string;
  result_available: boolean;
  result?: Record<string, unknown>;
  error?: { message: string };
  [field: string]: unknown;
}

export const FINAL = ['succeeded', 'failed', 'interrupted'];

/** Submits a confluence run for an end user and returns the accepted job. */
export function submitRun(rest: Rest, params: object | null = null, query = ''): Promise<JobBody> {
  return submitRunOf(rest, 'confluence_filter', params, query);
}

/** The same for any model. */
export async function submitRunOf(
  rest: Rest,
  model: string,
  params: object | null = null,
  query = '',
): Promise<JobBody> {
  const path = `/api/v1/models/${model}/runs${query}`;
  const response = await rest.post<JobBody>(path, { params }, { endUser: 'tester' });
  if (response.status !== 202 && response.status !== 200) {
    throw new Error(`run not accepted: ${response.status} ${JSON.stringify(response.body)}`);
  }
  return response.body;
}

/** Polls the job until it is final, as a client would. */
export async function pollUntilFinal(
  rest: Rest,
  jobId: string,
  timeoutMs = IN_TIME.timeout,
): Promise<JobBody> {
  const giveUpAt = Date.now() + timeoutMs;
  for (;;) {
    const response = await rest.get<JobBody>(`/api/v1/jobs/${jobId}`);
    if (response.status === 200 && FINAL.includes(response.body.status)) return response.body;
    if (Date.now() > giveUpAt) {
      throw new Error(`job ${jobId} is not final: ${response.status} ${JSON.stringify(response.body)}`);
    }
    await sleep(100);
  }
}

const RUN_WAITS_SECONDS = 10;

/** Milliseconds until a run has succeeded that is submitted now, or as soon as it is accepted. Runs that fail are repeated. */
export async function untilRunSucceeds(rest: Rest, timeoutMs = IN_TIME.timeout): Promise<number> {
  const begun = performance.now();
  while (performance.now() - begun < timeoutMs) {
    const job = await submitRun(rest, {}, `?wait=${RUN_WAITS_SECONDS}`).catch(() => undefined);
    if (job?.status === 'succeeded') return performance.now() - begun;
    await sleep(100);
  }
  throw new Error(`no run has succeeded for ${timeoutMs / 1_000} s`);
}
