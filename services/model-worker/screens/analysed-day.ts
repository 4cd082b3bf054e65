import type { Panel } from '#quant/panel/panel.ts';
import { RunFailure } from './run-failure.ts';
import { longDate } from '#shared/indonesian.ts';

/**
 * Calendar index of the last trading day on or before `date`.
 * @throws RunFailure when fewer than `minDays` trading days of data lead up to it.
 */
export function analysedDay(panel: Panel, date: string, minDays: number): number {
  const day = panel.dayOnOrBefore(date);
  if (day + 1 >= minDays) return day;
  const first = panel.columns.dates[minDays - 1];
  throw new RunFailure(
    first === undefined
      ? `Data yang tersedia baru ${panel.dayCount} hari bursa, sedangkan model memerlukan ${minDays} hari.`
      : `Tanggal analisis ${longDate(date)} terlalu awal. Data yang cukup tersedia mulai ${longDate(first)}.`,
  );
}
