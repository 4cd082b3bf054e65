import type { Dataset } from '#proto/saring/market_data/v1/datasets.ts';
import { rounded as roundedTo } from '#foundation/rounded.ts';
import type { Panel } from '#quant/panel/panel.ts';
import { dayChangePct } from '#quant/panel/windows.ts';

/** Part of every answer with prices: the version that it is of, and its {@link adjustment}. */
export function ofVersion({ version }: Pick<Dataset, 'version'>, panel: Panel) {
  return { dataset_version: version, adjusted: true, adjusted_to: panel.columns.dates[adjustedTo(panel)]! };
}

/** The same of every answer with broker rows, which may be synthetic. */
export function ofVersionWithBrokers(dataset: Pick<Dataset, 'version' | 'broker_data'>, panel: Panel) {
  return { ...ofVersion(dataset, panel), broker_data: dataset.broker_data };
}

/** Calendar index of the day to which the prices and share counts of every response are adjusted. */
export function adjustedTo(panel: Panel): number {
  return panel.dayCount - 1;
}

/** Scales that adjust the rows of a stock (index) to its last day in the dataset, or to its last one up to `asOfDay`. */
export function adjustment(panel: Panel, ticker: number, asOfDay = adjustedTo(panel)) {
  const { close } = panel.columns;
  const asOfRow = panel.lastRow(ticker, asOfDay);
  return {
    priceScale: (row: number) => panel.priceScale(row, asOfRow),
    shareScale: (row: number) => panel.shareScale(row, asOfRow),
    /** In IDR. */
    close: (row: number) => rounded(close[row]! * panel.priceScale(row, asOfRow)),
  };
}

/** Four decimals: finer than any meaningful price or percentage, and free of binary rounding noise. */
export function rounded(value: number): number {
  return roundedTo(value, 4);
}

/** Six decimals, for fractions: a hundredth of a basis point. */
export function roundedFraction(value: number): number {
  return roundedTo(value, 6);
}

/** Rounds every number that is known: one without enough history or without a source is absent on the wire. */
export function withoutNulls(numbers: object): Record<string, number> {
  const wire: Record<string, number> = {};
  for (const [name, value] of Object.entries(numbers) as [string, number | null][]) {
    const number = known(value, rounded);
    if (number !== undefined) wire[name] = number;
  }
  return wire;
}

/** Change of a close against the reference price of its day, in percent; absent without one. */
export function changePct(panel: Panel, row: number): number | undefined {
  return known(dayChangePct(panel, row), rounded);
}

/** A number that is null or NaN, because it is not known, is absent on the wire. */
export function known(value: number | null, by = (of: number) => of): number | undefined {
  return value === null || Number.isNaN(value) ? undefined : by(value);
}
