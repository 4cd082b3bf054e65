import { epochDayFromIso, isoFromEpochDay } from '../panel/iso-day.ts';
import type { Panel } from '../panel/panel.ts';
import type { TradedSeries } from '../series/traded-series.ts';

const CALENDAR_DAYS = 364;

/**
 * Highest high and lowest low of the bars within the 52 weeks (364 calendar days) that end on
 * `asOfDay`, in IDR as adjusted in the series; null when no bar lies in them.
 */
export function yearRange(
  panel: Panel,
  series: TradedSeries,
  asOfDay: number,
): { high: number | null; low: number | null } {
  const asOf = panel.columns.dates[asOfDay];
  if (asOf === undefined) return { high: null, low: null };
  const lastDayBefore = panel.dayOnOrBefore(isoFromEpochDay(epochDayFromIso(asOf) - CALENDAR_DAYS));
  let [high, low] = [-Infinity, Infinity];
  for (let bar = series.day.length - 1; bar >= 0 && series.day[bar]! > lastDayBefore; bar--) {
    high = Math.max(high, series.high[bar]!);
    low = Math.min(low, series.low[bar]!);
  }
  return high < low ? { high: null, low: null } : { high, low };
}
