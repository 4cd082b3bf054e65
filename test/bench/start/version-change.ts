import { setTimeout as sleep } from 'node:timers/promises';
import type { Stage } from '#support/measuring/stage.ts';
import { addNextDay } from '../market/import-figures.ts';
import { runOnce, type Kind } from '../runs/run-latency.ts';
import { defaultsTrained } from './readiness.ts';

/** What health says of runs is up to this old, so the switch may come this much later. */
const HEALTH_MAX_AGE_MS = 5_000;
const LANES = 2;

/**
 * Milliseconds of default runs, two at once all the while: from before the import of a day until its version has replaced the
 * old one for runs, and until each model has then run on it.
 */
export async function runsDuringImport(
  { fleet, rest }: Stage,
  kinds: Kind[],
  dataset: string,
): Promise<number[]> {
  const times: number[] = [];
  let isOver = false;
  const lane = async (_: unknown, number: number) => {
    const first = Math.floor((number * kinds.length) / LANES);
    for (let run = 0, left = kinds.length; left > 0; run++) {
      if (isOver) left--;
      const begun = performance.now();
      await runOnce(rest, kinds[(first + run) % kinds.length]!);
      times.push(performance.now() - begun);
    }
  };
  const lanes = Promise.all(Array.from({ length: LANES }, lane));
  const change = async () => {
    const added = await addNextDay(fleet, rest, dataset);
    await defaultsTrained(rest, added.dataset.version);
    await sleep(HEALTH_MAX_AGE_MS);
  };
  await Promise.race([change(), lanes]).finally(() => (isOver = true));
  await lanes;
  return times;
}
