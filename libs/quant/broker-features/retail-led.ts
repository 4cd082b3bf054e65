import type { BrokerDays } from '../broker-measures/broker-days.ts';
import { AT } from '../broker-measures/measures.ts';
import type { FeatureTable } from '../features/feature-table.ts';
import { priceMove } from '../price-move.ts';
import { LOOKBACK_DAYS } from './gross-features.ts';
import { RowWindows, type FlowSettings } from './row-windows.ts';

/**
 * Whether the price has risen over the window while retail brokers were net buyers, and larger ones than any other class. False
 * where that is unknown.
 */
export function isRetailLed({ flow, flowDays, stock, at }: RowWindows): boolean {
  const [retail, foreign, bandar] = [AT.retail_net, AT.foreign_net, AT.bandar_net].map((net) =>
    flow.sum(net),
  );
  const isLargest = retail! > 0 && retail! > foreign! && retail! > bandar!;
  return isLargest && priceMove(stock.close[at - flowDays]!, stock.close[at]!) > 0;
}

/**
 * The same for rows of the feature table, which must ascend: 1 or 0 each. Takes one stock after the other, so that the days of
 * each are loaded once.
 */
export function retailLedRows(
  table: FeatureTable,
  brokerDays: BrokerDays,
  settings: FlowSettings,
  rows: Uint32Array,
): Uint8Array {
  const led = new Uint8Array(rows.length);
  if (rows.length === 0) return led;
  const dayOf = (place: number) => table.dayOf(rows[place]!);
  const firstDay = Math.max(0, dayOf(0) - LOOKBACK_DAYS);
  const windows = new RowWindows(brokerDays, settings, dayOf(rows.length - 1) + 1 - firstDay);
  for (const [ticker, places] of Map.groupBy(rows.keys(), (place) => table.columns.ticker[rows[place]!]!)) {
    windows.turnTo(ticker, firstDay, dayOf(places.at(-1)!));
    for (const place of places) {
      windows.moveTo(dayOf(place) - firstDay, NaN);
      led[place] = Number(isRetailLed(windows));
    }
  }
  return led;
}
