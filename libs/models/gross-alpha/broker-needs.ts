import type { DaySpan } from '#quant/panel/ranges.ts';
import { Localised } from '#foundation/text/localised.ts';
import type { BrokerNeeds } from '../inputs/data-needs.ts';
import { EMBARGO_DAYS } from '../inputs/history.ts';

/** Trading days after which a position is closed. */
export const HORIZON_DAYS = 20;

interface Days {
  flow_window: number;
  train_days: number;
}

/** The days of the broker window of `day` (calendar index). */
function windowSpan(day: number, { flow_window }: Pick<Days, 'flow_window'>): DaySpan {
  return { firstDay: Math.max(0, day + 1 - flow_window), lastDay: day };
}

/** The days that an analysis of `day` learns from. */
function trainingSpan(day: number, { train_days }: Pick<Days, 'train_days'>): DaySpan {
  const lastDay = day - HORIZON_DAYS - EMBARGO_DAYS;
  return { firstDay: Math.max(0, lastDay + 1 - train_days), lastDay };
}

const WINDOW = new Localised('jendela analisis', 'the window of the analysis');
const TRAINING = new Localised('masa belajar', 'the days to learn from');

export const grossBrokerNeeds = {
  /** Below this share of stock-days, most features of a day would describe only the names that happen to have rows. */
  leastPct: 80,
  spans: (params: Days, day: number) => [
    { name: WINDOW, days: windowSpan(day, params) },
    { name: TRAINING, days: trainingSpan(day, params) },
  ],
} satisfies BrokerNeeds<Days>;
