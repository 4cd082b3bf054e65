import type { BrokerDays } from '../broker-days/broker-days.ts';
import type { DaySpan } from '../broker-flow/flow-builder.ts';
import type { FeatureTable } from '../features/feature-table.ts';
import { isReference } from '../features/reference-names.ts';

/** How many stock-days of the reference names there are, and of how many the broker rows are whole. */
export interface Coverage {
  stockDays: number;
  known: number;
}

/** Of the days between two calendar indices, both included. */
export function brokerCoverage(
  { columns, panel }: FeatureTable,
  brokerDays: BrokerDays,
  { firstDay, lastDay }: DaySpan,
): Coverage {
  const { dayStarts, ticker, panelRow, averageValue } = columns;
  const { close } = panel.columns;
  const coverage = { stockDays: 0, known: 0 };
  for (let day = firstDay; day <= lastDay; day++) {
    for (let row = dayStarts[day]!; row < dayStarts[day + 1]!; row++) {
      if (!isReference(close[panelRow[row]!]!, averageValue[row]!)) continue;
      coverage.stockDays++;
      if (brokerDays.isKnown(ticker[row]!, day)) coverage.known++;
    }
  }
  return coverage;
}
