import { setTimeout as sleep } from 'node:timers/promises';
import type { Evidence } from '#proto/saring/models/v1/catalogue.ts';
import { healthOf, type Dataset } from './dataset.ts';
import { Refusal, type RestClient } from './rest-client.ts';

const MODEL = 'model_f_combined';
const POLL_PAUSE_MS = 2_000;
const GIVE_UP_AFTER_MS = 5 * 60_000;

type PickRow = Record<string, string | number | null>;

interface Job {
  job_id: string;
  status: 'queued' | 'running' | 'succeeded' | 'failed' | 'interrupted';
  duration_seconds: number;
  error?: { message: string };
  evidence?: Evidence;
  result?: { df_result: PickRow[]; target_date: string; notice: string; dataset: Dataset };
}

export interface FirstRun {
  model: string;
  picks: PickRow[];
  targetDate: string;
  /** What the run saw. */
  dataset: Dataset;
  /** Evidence of what the model's picks are worth. */
  evidence?: Evidence | undefined;
  /** The disclaimer about the picks. */
  notice: string;
  durationSeconds: number;
}

type Asked = Pick<RestClient, 'get' | 'post'>;

interface Patience {
  pauseMs: number;
  giveUpAt: number;
}

/**
 * Runs one model as an application would, on the dataset that is served: workers that still learn from it may use the previous one,
 * and then the model runs again.
 * @throws Error that says how the run ended unless it succeeded
 */
export async function firstRun(
  rest: Asked,
  { pauseMs = POLL_PAUSE_MS, giveUpAfterMs = GIVE_UP_AFTER_MS } = {},
): Promise<FirstRun> {
  const giveUpAt = performance.now() + giveUpAfterMs;
  for (;;) {
    const run = await oneRun(rest, { pauseMs, giveUpAt });
    const served = (await healthOf(rest)).dataset?.version;
    if (run.dataset.version === served || performance.now() > giveUpAt) return run;
    await sleep(pauseMs);
  }
}

/** Asks to wait, then polls if the run takes longer. */
async function oneRun(rest: Asked, { pauseMs, giveUpAt }: Patience): Promise<FirstRun> {
  let job = await submitted(rest, { pauseMs, giveUpAt });
  while (isUnfinished(job) && performance.now() < giveUpAt) {
    await sleep(pauseMs);
    job = await rest.get<Job>(`/api/v1/jobs/${job.job_id}`);
  }
  if (!job.result)
    throw new Error(`run ${job.job_id} is ${job.status}${job.error ? `: ${job.error.message}` : ''}`);
  const { df_result: picks, target_date: targetDate, notice, dataset } = job.result;
  const { evidence, duration_seconds: durationSeconds } = job;
  return { model: MODEL, picks, targetDate, dataset, notice, evidence, durationSeconds };
}

/** On a busy machine, models may not have read the days of the market yet, and refuses runs until then. */
async function submitted(rest: Pick<RestClient, 'post'>, { pauseMs, giveUpAt }: Patience): Promise<Job> {
  for (;;) {
    try {
      return await rest.post<Job>(`/api/v1/models/${MODEL}/runs?wait=60`, { params: null });
    } catch (error) {
      const isUnavailable = error instanceof Refusal && error.status === 503;
      if (!isUnavailable || performance.now() >= giveUpAt) throw error;
    }
    await sleep(pauseMs);
  }
}

function isUnfinished({ status }: Job): boolean {
  return status === 'queued' || status === 'running';
}
