import type { RecordBatch } from 'apache-arrow';
import type { ReadArrow } from '../panel/panel-query.ts';
import type { Panel } from '../panel/panel.ts';
import { BrokerFlow } from './broker-flow.ts';
import { FlowBuilder, type DaySpan } from './flow-builder.ts';
import type { FlowBrokers } from './flow-columns.ts';

/** Which broker rows to read. */
export interface FlowToLoad extends DaySpan {
  panel: Panel;
  /** Dataset version whose broker table gives names and classes. */
  version: string;
  /** Of the same version: `YYYY-MM.…`, one a calendar month. */
  segments: readonly string[];
  /** Index of the only ticker wanted; all of them when absent. */
  ticker?: number | undefined;
}

const TABLE_SQL = `SELECT code, name, is_retail, is_foreign FROM market.broker
WHERE dataset_version = {version:String}`;

const OCCURRING_SQL = `SELECT DISTINCT toString(broker) AS code FROM market.broker_flow
WHERE has({segments:Array(String)}, segment)`;

const STOCK_DAY = `toUInt8(market = 'NEGO') AS is_nego,
  toUInt16(indexOf({tickers:Array(String)}, ticker)) AS ticker_number, date`;

const WANTED = `date BETWEEN {firstDate:Date} AND {lastDate:Date}
  AND ({ticker:String} = '' OR ticker = {ticker:String})`;

const COUNTS_SQL = `SELECT ${STOCK_DAY}, toUInt32(count()) AS row_count, toUInt8(max(mode = 'net')) AS is_net
FROM market.broker_flow
WHERE has({segments:Array(String)}, segment) AND ${WANTED} GROUP BY ticker, date, market`;

/** One segment at a time: within one the order is that of the table, across several it would be a sort. */
const ROWS_SQL = `SELECT ${STOCK_DAY}, toUInt16(indexOf({codes:Array(String)}, broker)) AS broker_number,
  toFloat64(buy_shares) AS buy_shares, toFloat64(sell_shares) AS sell_shares,
  toFloat64(buy_value) AS buy_value, toFloat64(sell_value) AS sell_value
FROM market.broker_flow
WHERE segment = {segment:String} AND ${WANTED} ORDER BY ticker, date, market, broker`;

/**
 * Reads the broker rows of a span of days into memory.
 * @throws RangeError for rows that the panel has no stock or day for
 */
export async function loadBrokerFlow(readArrow: ReadArrow, wanted: FlowToLoad): Promise<BrokerFlow> {
  const { panel, version, ticker } = wanted;
  const { tickers, dates } = panel.columns;
  const [firstDate, lastDate] = [dates[wanted.firstDay] ?? '', dates[wanted.lastDay] ?? ''];
  const segments = wanted.segments.filter(
    (segment) => segment.slice(0, 7) >= firstDate.slice(0, 7) && segment.slice(0, 7) <= lastDate.slice(0, 7),
  );
  const brokers = await readBrokers(readArrow, version, segments);
  const builder = new FlowBuilder(panel, wanted, brokers);
  if (segments.length > 0) {
    const params = {
      tickers,
      firstDate,
      lastDate,
      ticker: ticker === undefined ? '' : tickers[ticker]!,
    };
    for await (const batch of readArrow(COUNTS_SQL, { ...params, segments })) builder.appendCounts(batch);
    for (const segment of segments) {
      const rows = readArrow(ROWS_SQL, { ...params, segment, codes: brokers.codes });
      for await (const batch of rows) builder.appendRows(batch);
    }
  }
  return new BrokerFlow(builder.finish());
}

interface BrokerRow {
  code: string;
  name: string;
  is_retail: number;
  is_foreign: number;
}

/** The broker table of a version, and the codes that occur in rows and not in it. */
async function readBrokers(
  readArrow: ReadArrow,
  version: string,
  segments: readonly string[],
): Promise<FlowBrokers> {
  const table = new Map<string, BrokerRow>();
  for await (const batch of readArrow(TABLE_SQL, { version })) {
    for (const row of rowsOf<BrokerRow>(batch)) table.set(row.code, row);
  }
  const codes = new Set(table.keys());
  for await (const batch of readArrow(OCCURRING_SQL, { segments })) {
    for (const { code } of rowsOf<{ code: string }>(batch)) codes.add(code);
  }
  const sorted = [...codes].sort();
  const flags = (flag: 'is_retail' | 'is_foreign') =>
    Uint8Array.from(sorted, (code) => table.get(code)?.[flag] ?? 0);
  return {
    codes: sorted,
    names: sorted.map((code) => table.get(code)?.name ?? null),
    isRetail: flags('is_retail'),
    isForeign: flags('is_foreign'),
  };
}

function rowsOf<Row>(batch: RecordBatch): Iterable<Row> {
  return Array.from(batch, (row) => row as unknown as Row);
}
