import type { BrokerDays } from '#quant/broker-measures/broker-days.ts';
import { retailLedRows } from '#quant/broker-features/retail-led.ts';
import type { FlowSettings } from '#quant/broker-features/row-windows.ts';
import type { FeatureTable } from '#quant/features/feature-table.ts';
import type { TrainedMarket, NameFigures } from '../trained/trained-market.ts';
import { grossColumns } from './gross-columns.ts';

/** What brokers did in some names: how much the group buys, 0 to 100, and 1 where retail brokers drive the price. */
type TradeFigures = NameFigures & { groupPlace: Float64Array; isRetailLed: Uint8Array };

/** What brokers did in the names of the analysed day and of past forecasts, by row of the feature table. */
export interface GroupTrades {
  groupPlaces: ReadonlyMap<number, number>;
  retailLed: ReadonlySet<number>;
}

/** Rows must ascend. */
export function tradeFigures(
  table: FeatureTable,
  brokerDays: BrokerDays,
  settings: FlowSettings,
  rows: Uint32Array,
): TradeFigures {
  return {
    groupPlace: grossColumns(table, brokerDays).groupPlaces(rows, settings),
    isRetailLed: retailLedRows(table, brokerDays, settings, rows),
  };
}

/** From the figures that were kept with the model, so that only a run that learns reads broker rows of past days. */
export function groupTrades({ stocks, past, kept }: TrainedMarket): GroupTrades {
  const [groupPlaces, retailLed] = [new Map<number, number>(), new Set<number>()];
  for (const [names, figures] of [[past, kept.past] as const, [stocks, kept.stocks] as const]) {
    const { groupPlace, isRetailLed } = figures as TradeFigures;
    for (const [i, { row }] of names.entries()) {
      groupPlaces.set(row, groupPlace[i]!);
      if (isRetailLed[i] === 1) retailLed.add(row);
    }
  }
  return { groupPlaces, retailLed };
}
