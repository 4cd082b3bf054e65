import { setTimeout as sleep } from 'node:timers/promises';
import { pollUntilFinal, submitRun } from '#support/fleets/jobs.ts';
import type { Rest } from '#support/fleets/rest.ts';
import { quantile } from '../quantiles.ts';
import type { Figure } from '../report.ts';

const RUNS = 20;
const LOOK_PAUSE_MS = 10;
const GIVE_UP_MS = 30_000;

interface UsagePage {
  events: { job_id: string }[];
}

/** From the request for a run, each after the one before has ended, until its event is in the answer of another request. */
export async function usageDelayFigure(rest: Rest): Promise<Figure> {
  const times: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const begunMs = performance.now();
    const { job_id } = await submitRun(rest);
    await untilListed(rest, job_id);
    times.push(performance.now() - begunMs);
    await pollUntilFinal(rest, job_id);
  }
  const [p50, max] = [quantile(times, 0.5), Math.max(...times)].map((ms) => ms.toFixed(0));
  return {
    what: `run submitted until its usage event is listed over REST (${RUNS} runs, p50 / max)`,
    measured: `${p50} / ${max} ms`,
    bar: '< 2 s',
  };
}

async function untilListed(rest: Rest, jobId: string): Promise<void> {
  const giveUpAtMs = performance.now() + GIVE_UP_MS;
  while (performance.now() < giveUpAtMs) {
    const { body } = await rest.get<UsagePage>('/api/v1/usage/events?limit=1');
    if (body.events[0]?.job_id === jobId) return;
    await sleep(LOOK_PAUSE_MS);
  }
  throw new Error(`the run ${jobId} is in no usage event after ${GIVE_UP_MS} ms`);
}
