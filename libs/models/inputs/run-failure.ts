import type { Localised } from '#foundation/text/localised.ts';
import type { DaySpan } from '#quant/panel/ranges.ts';
import type { Panel } from '#quant/panel/panel.ts';
import { historyShortfall } from './data-needs.ts';
import type { RunErrorCode } from './run-errors.ts';

/** A run that cannot give a result for a reason its caller should read. The message, for logs, is in English. */
export class RunFailure extends Error {
  override readonly name = 'RunFailure';
  readonly code: RunErrorCode;
  readonly reason: Localised;

  constructor(code: RunErrorCode, reason: Localised, options?: ErrorOptions) {
    super(reason.in.en, options);
    this.code = code;
    this.reason = reason;
  }
}

/**
 * Calendar index of the last trading day on or before `date`.
 * @throws RunFailure when fewer than `minDays` trading days of data lead up to it.
 */
export function analysedDay(panel: Panel, date: string, minDays: number): number {
  const day = panel.dayOnOrBefore(date);
  const tooShort = historyShortfall(panel.columns.dates, day, date, minDays);
  if (tooShort) throw new RunFailure('insufficient_data', tooShort);
  return day;
}

/**
 * The last `days` trading days up to the analysed one, as far back as the data goes. Undefined for a date before all data; the
 * run then reports that the date is too early.
 */
export function spanUpTo(panel: Panel, analysisDate: string, days: number): DaySpan | undefined {
  const lastDay = panel.dayOnOrBefore(analysisDate);
  return lastDay < 0 ? undefined : { firstDay: Math.max(0, lastDay + 1 - days), lastDay };
}
