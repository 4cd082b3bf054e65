import type { DaySpan } from '#quant/broker-flow/flow-builder.ts';
import type { Panel } from '#quant/panel/panel.ts';

/**
 * The last `days` trading days up to the analysed one, as far as the data goes back. None for a date before all data: the
 * run itself tells its caller that it is too early.
 */
export function spanUpTo(panel: Panel, analysisDate: string, days: number): DaySpan | undefined {
  const lastDay = panel.dayOnOrBefore(analysisDate);
  return lastDay < 0 ? undefined : { firstDay: Math.max(0, lastDay + 1 - days), lastDay };
}
