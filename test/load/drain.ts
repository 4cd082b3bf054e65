import { setTimeout as sleep } from 'node:timers/promises';
import { FINAL, type JobBody } from '../support/fleets/jobs.ts';
import type { Accepted } from './accepted.ts';
import type { LoadClient } from './load-client.ts';

/** Jobs that are asked about at the same time. */
const LANES = 8;
const POLL_EVERY_MS = 250;

export interface Drained {
  /** By job id: a final state, or what the job was when the time was over; `lost` when nobody knows it any more. */
  states: Map<string, string>;
  /** Why runs failed, with how many of them. */
  failures: Map<string, number>;
  tookMs: number;
}

/** Asks for every accepted run until it is final. Older ones end first, so each lane waits for one at a time. */
export async function drain(client: LoadClient, { runs }: Accepted, withinMs: number): Promise<Drained> {
  const begun = performance.now();
  const states = new Map<string, string>();
  const failures = new Map<string, number>();
  const waiting = runs.entries();
  const lane = async () => {
    for (const [jobId, app] of waiting) {
      const ask = () =>
        client.ask<JobBody>({
          kind: 'job, asked at the end',
          path: `/api/v1/jobs/${jobId}`,
          app,
          expected: ['200'],
          away: 'model_unavailable',
        });
      for (;;) {
        const { status, body } = await ask();
        if (status === 200) states.set(jobId, body.status);
        else if (status === 404) states.set(jobId, 'lost');
        const isFinal = FINAL.includes(states.get(jobId) ?? '');
        if (isFinal && body.error)
          failures.set(body.error.message, (failures.get(body.error.message) ?? 0) + 1);
        if (isFinal || status === 404 || performance.now() - begun > withinMs) break;
        await sleep(POLL_EVERY_MS);
      }
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return { states, failures, tookMs: performance.now() - begun };
}
