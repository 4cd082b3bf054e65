import { setTimeout as sleep } from 'node:timers/promises';
import type { Rest } from '#support/rest/rest.ts';
import { familySeconds } from '#support/measuring/processes.ts';

/** A fleet is at rest when it uses less than this share of one processor. */
const REST_SHARE = 0.1;
const SAMPLE_MS = 2_000;
const PAUSE_MS = 100;
const GIVE_UP_MS = 120_000;

interface Health {
  dataset: { version: string } | null;
  /** Versions that learn only when a run needs it do not say this. */
  runs: { defaults_learnt?: boolean };
}

/** @param pid of the fleet's supervisor */
export async function untilAtRest(pid: number): Promise<void> {
  await until('the fleet is at rest', async () => {
    const before = await familySeconds(pid);
    await sleep(SAMPLE_MS);
    return (await familySeconds(pid)) - before < (REST_SHARE * SAMPLE_MS) / 1_000;
  });
}

/** Waits until what default runs need has been trained, on this dataset version if one is given. */
export async function defaultsTrained(rest: Rest, version?: string): Promise<void> {
  await until('the default models have learnt', async () => {
    const { dataset, runs } = (await rest.get<Health>('/api/health')).body;
    return runs.defaults_learnt !== false && (version === undefined || dataset?.version === version);
  });
}

export async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const giveUpAt = performance.now() + GIVE_UP_MS;
  while (!(await isSo())) {
    if (performance.now() > giveUpAt) throw new Error(`not in ${GIVE_UP_MS / 1_000} s: ${what}`);
    await sleep(PAUSE_MS);
  }
}
