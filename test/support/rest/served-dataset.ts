import type { Schemas } from '#client/index.ts';
import { createLogger } from '#platform/operations/logger.ts';
import { waitFor } from '#platform/process/waiting.ts';
import type { Rest } from './rest.ts';

/**
 * The dataset that a fleet serves. The health check counts a part that takes longer than a second as down and then knows no
 * dataset, which happens on a busy machine. So it is asked until it knows one.
 */
export function servedDataset(rest: Rest): Promise<NonNullable<Schemas['Health']['dataset']>> {
  const named = async () => {
    const { dataset } = (await rest.get<Schemas['Health']>('/api/health')).body;
    if (!dataset) throw new Error('it names no dataset');
    return dataset;
  };
  return waitFor('the health check', named, { log: createLogger('test', 'silent') });
}
