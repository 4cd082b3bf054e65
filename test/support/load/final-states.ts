import { setTimeout as sleep } from 'node:timers/promises';
import { FINAL, type JobBody } from '../rest/jobs.ts';
import type { Accepted } from './actor.ts';
import type { LoadClient } from './load-client.ts';

/** Number of jobs that are polled in parallel. */
const LANES = 8;
const POLL_EVERY_MS = 250;

export interface FinalStates {
  /** By job id: the final state, or the state when the time was over; `lost` if the service no longer knows the job. */
  states: Map<string, string>;
  /** Reasons of failed runs, with their job ids. */
  failures: Map<string, string[]>;
  tookMs: number;
}

/** Polls every accepted run until it is final. Older runs end first, so each lane waits for one run at a time. */
export async function finalStates(
  client: LoadClient,
  { runs }: Accepted,
  withinMs: number,
): Promise<FinalStates> {
  const begun = performance.now();
  const states = new Map<string, string>();
  const failures = new Map<string, string[]>();
  const waiting = runs.entries();
  const lane = async () => {
    for (const [jobId, app] of waiting) {
      const path = `/api/v1/jobs/${jobId}`;
      const requested = { kind: 'job, asked at the end', path, app, expected: ['200'] };
      for (;;) {
        const { status, body } = await client.ask<JobBody>({
          ...requested,
          unavailable: 'model_unavailable',
        });
        if (status === 200) states.set(jobId, body.status);
        else if (status === 404) states.set(jobId, 'lost');
        const isFinal = FINAL.includes(states.get(jobId) ?? '');
        if (isFinal && body.error) {
          const { message } = body.error;
          failures.set(message, [...(failures.get(message) ?? []), jobId]);
        }
        if (isFinal || status === 404 || performance.now() - begun > withinMs) break;
        await sleep(POLL_EVERY_MS);
      }
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return { states, failures, tookMs: performance.now() - begun };
}

/** How many runs are in each state. */
export function countStates(states: Iterable<string>): [state: string, times: number][] {
  return Object.entries(Object.groupBy(states, (state) => state)).map(([state, all]) => [state, all!.length]);
}
