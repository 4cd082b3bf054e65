import type { RestClient } from './rest-client.ts';

export const MODEL_TO_TRY = 'model_f_combined';
const WAIT_S = 30;

interface CompactJob {
  result?: { pick_count: number; empty?: { changes: object } };
}

/**
 * Parameters with which the model gives picks on the served market: its defaults where these do, otherwise the changes
 * that its empty result names, as any application would follow them.
 */
export async function paramsToTry(rest: Pick<RestClient, 'post'>, signal: AbortSignal): Promise<object> {
  const path = `/api/v1/models/${MODEL_TO_TRY}/runs?wait=${WAIT_S}&view=compact`;
  try {
    const { result } = await rest.post<CompactJob>(path, { params: {} });
    return result?.empty?.changes ?? {};
  } catch {
    // The first run has said what is wrong; what is printed can be tried all the same.
    signal.throwIfAborted();
    return {};
  }
}
