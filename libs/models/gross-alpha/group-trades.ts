import type { BrokerDays } from '#quant/broker-measures/broker-days.ts';
import { retailLedRows } from '#quant/broker-features/retail-led.ts';
import type { FlowSettings } from '#quant/broker-features/row-windows.ts';
import type { FeatureTable } from '#quant/features/feature-table.ts';
import { keptByRow, type TrainedMarket, type NameFigures } from '../trained/trained-market.ts';
import { grossColumns } from './gross-columns.ts';

/** What brokers did in the names of the analysed day and of past forecasts, by row of the feature table. */
export interface GroupTrades {
  groupPlaces: ReadonlyMap<number, number>;
  retailLed: ReadonlySet<number>;
}

/** What brokers did in some names: how much the group buys, 0 to 100, and 1 where retail brokers drive the price. Rows must ascend. */
export function tradeFigures(
  table: FeatureTable,
  brokerDays: BrokerDays,
  settings: FlowSettings,
  rows: Uint32Array,
): NameFigures {
  return {
    groupPlace: grossColumns(table, brokerDays).groupPlaces(rows, settings),
    isRetailLed: retailLedRows(table, brokerDays, settings, rows),
  };
}

/** From the figures that were kept with the model, so that only a run that learns reads broker rows of past days. */
export function groupTrades(market: TrainedMarket): GroupTrades {
  const isRetailLed = [...keptByRow(market, 'isRetailLed')];
  return {
    groupPlaces: keptByRow(market, 'groupPlace'),
    retailLed: new Set(isRetailLed.flatMap(([row, isLed]) => (isLed === 1 ? [row] : []))),
  };
}
