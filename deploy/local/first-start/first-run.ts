import { setTimeout as sleep } from 'node:timers/promises';
import type { Evidence } from '#proto/saring/models/v1/catalogue.ts';
import { Refusal, type RestClient } from './rest-client.ts';

const MODEL = 'model_f_combined';
const POLL_PAUSE_MS = 2_000;
const GIVE_UP_AFTER_MS = 5 * 60_000;

export type PickRow = Record<string, string | number | null>;

interface Job {
  job_id: string;
  status: 'queued' | 'running' | 'succeeded' | 'failed' | 'interrupted';
  duration_seconds: number;
  error?: { message: string };
  evidence?: Evidence;
  result?: { df_result: PickRow[]; target_date: string; notice: string };
}

export interface FirstRun {
  model: string;
  picks: PickRow[];
  targetDate: string;
  /** What is known of the worth of the model's picks. */
  evidence?: Evidence | undefined;
  /** The disclaimer about the picks. */
  notice: string;
  durationSeconds: number;
}

/**
 * Runs one model as an application would: asks to wait, then polls if the run takes longer.
 * @throws Error that says how the run ended unless it succeeded
 */
export async function firstRun(rest: RestClient): Promise<FirstRun> {
  const giveUpAt = performance.now() + GIVE_UP_AFTER_MS;
  let job = await submitted(rest, giveUpAt);
  while (isUnfinished(job) && performance.now() < giveUpAt) {
    await sleep(POLL_PAUSE_MS);
    job = await rest.get<Job>(`/api/v1/jobs/${job.job_id}`);
  }
  if (!job.result)
    throw new Error(`run ${job.job_id} is ${job.status}${job.error ? `: ${job.error.message}` : ''}`);
  const { df_result: picks, target_date: targetDate, notice } = job.result;
  const { evidence, duration_seconds: durationSeconds } = job;
  return { model: MODEL, picks, targetDate, notice, evidence, durationSeconds };
}

/** On a busy machine, models may not have read the days of the market yet, and refuses runs until then. */
async function submitted(rest: RestClient, giveUpAt: number): Promise<Job> {
  for (;;) {
    try {
      return await rest.post<Job>(`/api/v1/models/${MODEL}/runs?wait=60`, { params: null });
    } catch (error) {
      const isAway = error instanceof Refusal && error.status === 503;
      if (!isAway || performance.now() >= giveUpAt) throw error;
    }
    await sleep(POLL_PAUSE_MS);
  }
}

function isUnfinished({ status }: Job): boolean {
  return status === 'queued' || status === 'running';
}
