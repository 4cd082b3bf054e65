import type { RecordBatch } from 'apache-arrow';
import { numericValues, type ReadArrow } from './arrow-batch.ts';
import { FlowRowsBuilder } from './flow-rows-builder.ts';
import { sharedColumn } from '#quant/panel/panel-columns.ts';
import type { Panel } from '#quant/panel/panel.ts';
import {
  BrokerFlow,
  FLOW_NUMBERS,
  GROSS_ROWS,
  MARKETS,
  NET_ROWS,
  type FlowBrokers,
  type Market,
} from '#quant/broker-rows/broker-flow.ts';

interface StockDay {
  panel: Panel;
  /** Segments of the dataset: `YYYY-MM.…`, one per calendar month. */
  segments: readonly string[];
  /** Index in the panel. */
  ticker: number;
  /** Calendar index. */
  day: number;
  market: Market;
  /** The broker table of the dataset. Codes that it lacks are added without a name. */
  brokers: FlowBrokers;
}

const ROWS_SQL = `SELECT toString(broker) AS code, CAST(mode = 'net', 'UInt8') AS is_net,
  toFloat64(buy_shares) AS buy_shares, toFloat64(sell_shares) AS sell_shares,
  toFloat64(buy_value) AS buy_value, toFloat64(sell_value) AS sell_value
FROM market.broker_flow
WHERE segment = {segment:String} AND ticker = {ticker:String} AND date = {date:Date} AND market = {market:String}
ORDER BY broker`;

type Row = { code: string; is_net: number } & Record<(typeof FLOW_NUMBERS)[number], number>;

/** Reads one stock-day with one query. Gives the same as `loadBrokerFlow` in a third of the time. */
export async function loadStockDay(readArrow: ReadArrow, wanted: StockDay): Promise<BrokerFlow> {
  const { panel, segments, ticker, day, market } = wanted;
  const date = panel.columns.dates[day]!;
  const segment = segments.find((name) => name.startsWith(date.slice(0, 7)));
  const params = { segment, ticker: panel.columns.tickers[ticker]!, date, market };
  const rows = segment === undefined ? [] : await rowsOf(readArrow(ROWS_SQL, params));
  return flowOf(wanted, rows);
}

async function rowsOf(batches: AsyncIterable<RecordBatch>): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const batch of batches) {
    const codes = batch.getChild('code')!;
    const isNet = numericValues(batch, 'is_net');
    const numbers = FLOW_NUMBERS.map((name) => [name, numericValues(batch, name)] as const);
    for (let i = 0; i < batch.numRows; i++) {
      const values = Object.fromEntries(numbers.map(([name, column]) => [name, column[i]!]));
      rows.push({ code: codes.get(i) as string, is_net: isNet[i]!, ...values } as Row);
    }
  }
  return rows;
}

function flowOf({ panel, ticker, day, market, brokers }: StockDay, rows: readonly Row[]): BrokerFlow {
  const known = withCodes(
    brokers,
    rows.map(({ code }) => code),
  );
  const { tickerCount } = panel;
  const groups = MARKETS.length * tickerCount;
  const group = MARKETS.indexOf(market) * tickerCount + ticker;
  const mode = new Uint8Array(new SharedArrayBuffer(groups));
  if (rows.length > 0) mode[group] = rows.some(({ is_net }) => is_net === 1) ? NET_ROWS : GROSS_ROWS;
  const builder = new FlowRowsBuilder(rows.length, known);
  for (const [at, row] of rows.entries()) {
    builder.broker[at] = known.codes.indexOf(row.code);
    for (const name of FLOW_NUMBERS) builder.numbers[name].set(at, row[name]);
  }
  const columns = { brokers: known, firstDay: day, lastDay: day, tickerCount, mode };
  const offsets = sharedColumn(Uint32Array, groups + 1).fill(rows.length, group + 1);
  return new BrokerFlow({ ...columns, offsets, ...builder.finish() });
}

/** The same table with the codes that it lacks, in ascending order. */
function withCodes(brokers: FlowBrokers, occurring: readonly string[]): FlowBrokers {
  const unknown = occurring.filter((code) => !brokers.codes.includes(code));
  if (unknown.length === 0) return brokers;
  const codes = [...brokers.codes, ...unknown].sort();
  const before = codes.map((code) => brokers.codes.indexOf(code));
  return {
    codes,
    names: before.map((index) => brokers.names[index] ?? null),
    isRetail: Uint8Array.from(before, (index) => brokers.isRetail[index] ?? 0),
    isForeign: Uint8Array.from(before, (index) => brokers.isForeign[index] ?? 0),
  };
}
