import type { BrokerMonth } from '#quant/broker-measures/measures.ts';
import type { PanelColumns } from '#quant/panel/panel-columns.ts';

/** The windows of the newest day take 66 days. With the others, runs of a month of earlier analysis dates read nothing either. */
const RECENT_DAYS = 90;

/** Whether runs that need not train read a month, as long as they analyse the newest days. */
export function isRecent(month: Pick<BrokerMonth, 'dates'>, { dates }: Pick<PanelColumns, 'dates'>): boolean {
  return (month.dates.at(-1) ?? '') >= (dates.at(-RECENT_DAYS) ?? '');
}
