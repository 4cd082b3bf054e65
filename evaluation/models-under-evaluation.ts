import type { Barriers } from '#quant/labels/triple-barrier.ts';
import type { Model } from '#models/model/model.ts';
import { USUAL_BARRIERS, USUAL_HORIZON_DAYS } from '#models/picks/picks-to-record.ts';
import { modelOf } from '#services/models/catalogue/catalogue.ts';
import { completeParams, type Params } from '#services/models/catalogue/parameters.ts';

export const RECOVERY_HORIZONS = [10, 20, 30, 40] as const;
/** Trading days after which every outcome of every model is known. */
export const MAX_HORIZON_DAYS = 40;

/** A model that picks stocks, with the parameters of its runs and the definition of a win. */
export interface PickModel {
  kind: 'picks';
  definition: Model;
  params: Params;
  floors: { min_price: number; min_daily_val: number };
  barriers: Barriers;
}

export interface RecoveryModel {
  kind: 'recovery';
  definition: Model;
}

/** A published model with its defaults. */
export function modelUnderEvaluation(id: string): PickModel | RecoveryModel {
  const definition = modelOf(id);
  if (!definition.picks) return { kind: 'recovery', definition };
  const params = completeParams(definition);
  const { min_price, min_daily_val, target_gain, stop_loss, horizon_days } = {
    ...USUAL_BARRIERS,
    horizon_days: USUAL_HORIZON_DAYS,
    ...params,
  } as unknown as PickModel['floors'] & typeof USUAL_BARRIERS & { horizon_days: number };
  return {
    kind: 'picks',
    definition,
    params,
    floors: { min_price, min_daily_val },
    barriers: { targetGain: target_gain, stopLoss: stop_loss, horizonDays: horizon_days },
  };
}

/** The same parameters with the given day, if the model has such a parameter. */
export function paramsOfDay(params: Params, date: string): Params {
  return 'analysis_date' in params ? { ...params, analysis_date: date } : params;
}
