import type { RecordBatch } from 'apache-arrow';
import type { ReadArrow } from './arrow-batch.ts';
import type { Panel } from '#quant/panel/panel.ts';
import { BrokerFlow, type FlowBrokers, type Market } from '#quant/broker-rows/broker-flow.ts';
import { FlowBuilder } from './broker-flow-builder.ts';
import type { DaySpan } from '#quant/panel/ranges.ts';
import { SharedMonths, type LoadedFlow } from './shared-months.ts';

interface FlowToLoad extends DaySpan {
  panel: Panel;
  /** Dataset version whose broker table gives names and classes. */
  version: string;
  /** Segments of the same version: `YYYY-MM.…`, one per calendar month. */
  segments: readonly string[];
  /** Index of the only ticker to read; all tickers if absent. */
  ticker?: number | undefined;
  /** The only market to read; both if absent. */
  market?: Market | undefined;
  /** Rows in memory, from which unchanged months are copied. Only for all tickers and both markets. */
  held?: LoadedFlow | undefined;
}

const TABLE_SQL = `SELECT code, name, is_retail, is_foreign FROM market.broker
WHERE dataset_version = {version:String}`;

/**
 * SQL for the place of a word in a list, counted from 1; 0 if it is missing. ClickHouse computes it once per distinct word,
 * while `indexOf` would search the list for every row. The result of a LowCardinality column is LowCardinality too, so it is
 * cast to arrive as plain numbers. The list stands in the query, because parameters are sent in the URL, whose length is limited.
 */
export function numberIn(words: readonly string[], column: string): string {
  const list = words.map((word) => `'${word.replaceAll(/[\\']/g, '\\$&')}'`).join();
  return `CAST(transform(${column}, CAST([${list}], 'Array(String)') AS ${column}_words,
    arrayEnumerate(${column}_words), 0), 'UInt16')`;
}

const stockDay = (tickers: readonly string[]) => `CAST(market = 'NEGO', 'UInt8') AS is_nego,
  ${numberIn(tickers, 'ticker')} AS ticker_number, date`;

const WANTED = `date BETWEEN {firstDate:Date} AND {lastDate:Date}
  AND ({ticker:String} = '' OR ticker = {ticker:String})
  AND ({market:String} = '' OR market = {market:String})`;

const OCCURRING_SQL = `SELECT DISTINCT toString(broker) AS code FROM market.broker_flow
WHERE segment IN {segments:Array(String)} AND ${WANTED}`;

const countsSql = (
  tickers: readonly string[],
) => `SELECT ${stockDay(tickers)}, toUInt32(count()) AS row_count, CAST(max(mode = 'net'), 'UInt8') AS is_net
FROM market.broker_flow
WHERE segment IN {segments:Array(String)} AND ${WANTED} GROUP BY ticker, date, market`;

/**
 * Reads one segment at a time: within a segment the order is that of the table, across several ClickHouse would have to sort.
 */
const rowsSql = (
  tickers: readonly string[],
  codes: readonly string[],
) => `SELECT ${stockDay(tickers)}, ${numberIn(codes, 'broker')} AS broker_number,
  toFloat64(buy_shares) AS buy_shares, toFloat64(sell_shares) AS sell_shares,
  toFloat64(buy_value) AS buy_value, toFloat64(sell_value) AS sell_value
FROM market.broker_flow
WHERE segment = {segment:String} AND ${WANTED} ORDER BY ticker, date, market, broker`;

/**
 * Reads the broker rows of a span of days into memory.
 * @throws RangeError for rows that the panel has no stock or day for
 */
export async function loadBrokerFlow(readArrow: ReadArrow, wanted: FlowToLoad): Promise<BrokerFlow> {
  const { panel, version, ticker, held } = wanted;
  const { tickers, dates } = panel.columns;
  const [firstDate, lastDate] = [dates[wanted.firstDay] ?? '', dates[wanted.lastDay] ?? ''];
  const segments = wanted.segments.filter(
    (segment) => segment.slice(0, 7) >= firstDate.slice(0, 7) && segment.slice(0, 7) <= lastDate.slice(0, 7),
  );
  const params = {
    firstDate,
    lastDate,
    ticker: ticker === undefined ? '' : tickers[ticker]!,
    market: wanted.market ?? '',
  };
  const brokers = await readBrokers(readArrow, version, { ...params, segments });
  const builder = new FlowBuilder(panel, wanted, brokers);
  const shared = held && new SharedMonths(held, panel, wanted, segments);
  const unread = segments.filter((segment) => !shared?.segments.includes(segment));
  if (shared) builder.copyCounts(shared);
  if (unread.length > 0) {
    const counts = readArrow(countsSql(tickers), { ...params, segments: unread });
    for await (const batch of counts) builder.appendCounts(batch);
  }
  if (shared) builder.copyRows(shared);
  for (const segment of unread) {
    const rows = readArrow(rowsSql(tickers, brokers.codes), { ...params, segment });
    for await (const batch of rows) builder.appendRows(batch);
  }
  return new BrokerFlow(builder.finish());
}

interface BrokerRow {
  code: string;
  name: string;
  is_retail: number;
  is_foreign: number;
}

/** The broker table of a version, plus codes that occur in the selected rows but not in the table. */
async function readBrokers(
  readArrow: ReadArrow,
  version: string,
  occurringIn: Record<string, unknown>,
): Promise<FlowBrokers> {
  const [listed, occurring] = await Promise.all([
    rowsOf<BrokerRow>(readArrow(TABLE_SQL, { version })),
    rowsOf<{ code: string }>(readArrow(OCCURRING_SQL, occurringIn)),
  ]);
  const table = new Map(listed.map((row) => [row.code, row]));
  const sorted = [...new Set([...listed, ...occurring].map(({ code }) => code))].sort();
  const flags = (flag: 'is_retail' | 'is_foreign') =>
    Uint8Array.from(sorted, (code) => table.get(code)?.[flag] ?? 0);
  return {
    codes: sorted,
    names: sorted.map((code) => table.get(code)?.name ?? null),
    isRetail: flags('is_retail'),
    isForeign: flags('is_foreign'),
  };
}

async function rowsOf<Row>(batches: AsyncIterable<RecordBatch>): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const batch of batches) for (const row of batch) rows.push(row);
  return rows;
}
