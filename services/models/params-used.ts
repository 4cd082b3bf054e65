import type { Params } from './parameters.ts';
import type { RunRow } from './store/run-store.ts';

/**
 * The parameters a run used, with its analysis date as it took effect. Which trading day that is, the dataset decides:
 * once the run has succeeded it is the day that was analysed, the `as_of` of its result. Until then, and of a run that
 * came to nothing, it is the day as accepted: what was asked for, but no later than today and the pin.
 */
export function paramsUsed({ params, target_date }: RunRow): Params {
  return target_date ? { ...params, analysis_date: target_date } : params;
}
