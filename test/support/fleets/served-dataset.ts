import { setTimeout as sleep } from 'node:timers/promises';
import type { Schemas } from '#client/index.ts';
import { HANGS_AFTER_MS } from '../hangs.ts';
import type { Rest } from './rest.ts';

const PAUSE_MS = 200;

/**
 * The dataset that a fleet serves. The health check counts a part that takes longer than a second as down and then knows no
 * dataset, which happens on a busy machine. So it is asked until it knows one.
 * @throws Error if it knows none for as long as a call that hangs would take
 */
export async function servedDataset(rest: Rest): Promise<NonNullable<Schemas['Health']['dataset']>> {
  for (const giveUpAt = Date.now() + HANGS_AFTER_MS; Date.now() < giveUpAt; await sleep(PAUSE_MS)) {
    const { dataset } = (await rest.get<Schemas['Health']>('/api/health')).body;
    if (dataset) return dataset;
  }
  throw new Error('the health check names no dataset');
}
