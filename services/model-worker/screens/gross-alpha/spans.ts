import type { DaySpan } from '#quant/broker-flow/flow-builder.ts';
import { LOOKBACK_DAYS } from '#quant/gross-flow/gross-feature.ts';
import { EMBARGO_DAYS } from '../learnt/training-set.ts';
import type { DaysRead } from '../screen.ts';
import { spanUpTo } from '../span-up-to.ts';
import type { GrossAlphaParams } from './params.ts';

/** Trading days after which a position is given up. */
export const HORIZON_DAYS = 20;

type Days = Pick<GrossAlphaParams, 'flow_window' | 'train_days'>;

/** Days that an analysis of a day (calendar index) learns from. */
export function trainingSpan(day: number, { train_days }: Pick<Days, 'train_days'>): DaySpan {
  const lastDay = day - HORIZON_DAYS - EMBARGO_DAYS;
  return { firstDay: Math.max(0, lastDay + 1 - train_days), lastDay };
}

/** Days of the broker window of a day. */
export function windowSpan(day: number, { flow_window }: Pick<Days, 'flow_window'>): DaySpan {
  return { firstDay: Math.max(0, day + 1 - flow_window), lastDay: day };
}

/** All days of which a run reads broker rows. */
export const brokerDaySpan: DaysRead = (panel, params, analysisDate) => {
  const { train_days } = params as unknown as GrossAlphaParams;
  const days = LOOKBACK_DAYS + train_days + EMBARGO_DAYS + HORIZON_DAYS;
  return spanUpTo(panel, analysisDate, days);
};
