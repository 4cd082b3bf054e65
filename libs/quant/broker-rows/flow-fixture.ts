import { DateDay, makeVector, Table, type RecordBatch } from 'apache-arrow';
import { epochDayFromIso } from '#foundation/iso-day.ts';
import type { Panel } from '../panel/panel.ts';
import { BrokerFlow, type FlowBrokers, type Market } from './broker-flow.ts';
import { FlowBuilder } from '#market-reader/broker-flow-builder.ts';
import type { DaySpan } from '../panel/ranges.ts';

/** A broker row for tests. By default numbers are 0, the market is REG and the mode is gross. */
export interface FlowRowFixture {
  ticker: string;
  date: string;
  broker: string;
  market?: Market;
  mode?: 'gross' | 'net';
  buy_shares?: number;
  buy_value?: number;
  sell_shares?: number;
  sell_value?: number;
}

export interface BrokerFixture {
  code: string;
  name?: string;
  is_retail?: boolean;
  is_foreign?: boolean;
}

/** The broker rows of a panel, by default for all its days. Codes missing from `table` have no name. */
export function brokerFlowOf(
  panel: Panel,
  rows: readonly FlowRowFixture[],
  table: readonly BrokerFixture[] = [],
  span: DaySpan = { firstDay: 0, lastDay: panel.dayCount - 1 },
): BrokerFlow {
  const brokers = brokersOf(rows, table);
  const builder = new FlowBuilder(panel, span, brokers);
  const batch = rowBatch(panel, rows.toSorted(byBroker), brokers.codes);
  if (batch) {
    builder.appendCounts(batch);
    builder.appendRows(batch);
  }
  return new BrokerFlow(builder.finish());
}

function byBroker(a: FlowRowFixture, b: FlowRowFixture): number {
  return a.broker < b.broker ? -1 : 1;
}

/** The brokers of a table and those of rows. */
export function brokersOf(rows: readonly FlowRowFixture[], table: readonly BrokerFixture[]): FlowBrokers {
  const entries = new Map(table.map((entry) => [entry.code, entry]));
  const codes = [...new Set([...entries.keys(), ...rows.map(({ broker }) => broker)])].sort();
  return {
    codes,
    names: codes.map((code) => entries.get(code)?.name ?? null),
    isRetail: Uint8Array.from(codes, (code) => Number(entries.get(code)?.is_retail ?? false)),
    isForeign: Uint8Array.from(codes, (code) => Number(entries.get(code)?.is_foreign ?? false)),
  };
}

/** One batch that serves both as counts (1 for each row) and as rows. */
export function rowBatch(
  panel: Panel,
  rows: readonly FlowRowFixture[],
  codes: string[],
): RecordBatch | undefined {
  const number = (of: 'buy_shares' | 'buy_value' | 'sell_shares' | 'sell_value') =>
    makeVector(Float64Array.from(rows, (row) => row[of] ?? 0));
  const epochDays = new Map(
    [...new Set(rows.map(({ date }) => date))].map((date) => [date, epochDayFromIso(date)]),
  );
  return new Table({
    is_nego: makeVector(Uint8Array.from(rows, ({ market }) => Number(market === 'NEGO'))),
    ticker_number: makeVector(Uint16Array.from(rows, ({ ticker }) => panel.tickerIndex(ticker) + 1)),
    date: makeVector({
      type: new DateDay(),
      data: Int32Array.from(rows, ({ date }) => epochDays.get(date)!),
    }),
    row_count: makeVector(new Uint32Array(rows.length).fill(1)),
    is_net: makeVector(Uint8Array.from(rows, ({ mode }) => Number(mode === 'net'))),
    broker_number: makeVector(Uint16Array.from(rows, ({ broker }) => codes.indexOf(broker) + 1)),
    buy_shares: number('buy_shares'),
    buy_value: number('buy_value'),
    sell_shares: number('sell_shares'),
    sell_value: number('sell_value'),
  }).batches[0];
}
