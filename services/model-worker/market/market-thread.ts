/** The thread that reads dataset versions, so that neither a run nor a heartbeat waits for it. */
import { parentPort, workerData } from 'node:worker_threads';
import type { BrokerMonth } from '#quant/broker-measures/measures.ts';
import type { FlowColumns } from '#quant/broker-rows/broker-flow.ts';
import type { DaySpan } from '#quant/panel/ranges.ts';
import type { ClickHouseAddress } from '#platform/clickhouse/address.ts';
import { connectClickHouse } from '#platform/clickhouse/clickhouse.ts';
import { collectGarbage } from '#platform/process/collect-garbage.ts';
import { responseTo, type ThreadAnswer, type ThreadRequest } from './thread-requests.ts';
import { ComputedCache } from '../cache/computed-cache.ts';
import { MarketReader } from './market-reader.ts';
import type { NamedMonths } from './named-months.ts';
import type { DatasetToLoad, SharedMarket } from './shared-market.ts';

export interface MarketThreadStart {
  clickhouseAt: ClickHouseAddress;
  /** Empty for none. */
  cacheDir: string;
}

export type MarketQuery =
  | { what: 'market'; dataset: DatasetToLoad }
  | { what: 'flow'; version: string; span: DaySpan }
  | MonthsQuery;

type MonthsQuery = { what: 'months'; version: string; span: DaySpan };

export type ToMarketThread =
  | ThreadRequest<MarketQuery>
  /** A version that an earlier thread has read, with the months of broker rows that it has read. */
  | { kind: 'hold'; market: SharedMarket; months: NamedMonths }
  /** No run uses this version any more. */
  | { kind: 'forget'; version: string }
  /** Ends the thread once it has written its files. */
  | { kind: 'stop' };

export type FromMarketThread =
  | ThreadAnswer
  /** The months that the next thread need not read again; comes before the answer with them. */
  | { kind: 'read'; months: NamedMonths }
  | { kind: 'cache_problem'; problem: string };

/**
 * After this long without a byte of a dataset its connection counts as lost, because runs wait for it. A whole dataset may take
 * longer.
 */
const SILENCE_MS = 15_000;

const { clickhouseAt, cacheDir } = workerData as MarketThreadStart;
const port = parentPort!;
const post = (message: FromMarketThread) => port.postMessage(message);
const clickhouse = connectClickHouse(clickhouseAt, SILENCE_MS);
const cache = cacheDir
  ? new ComputedCache(cacheDir, 'markets', (problem) => post({ kind: 'cache_problem', problem }))
  : undefined;
const reader = new MarketReader(clickhouse, cache);

async function find(query: MarketQuery): Promise<SharedMarket | FlowColumns | BrokerMonth[]> {
  if (query.what === 'flow') return reader.flowOf(query.version, query.span);
  if (query.what === 'months') return findMonths(query);
  const market = await reader.read(query.dataset);
  collectGarbage();
  return market;
}

async function findMonths({ version, span }: MonthsQuery): Promise<BrokerMonth[]> {
  const before = reader.readMonthsOf(version).size;
  const months = await reader.monthsOf(version, span);
  const read = reader.readMonthsOf(version);
  if (read.size > before) post({ kind: 'read', months: read });
  return months;
}

port.on('message', (message: ToMarketThread) => {
  if (message.kind === 'request') void responseTo(message, find).then(post);
  else if (message.kind === 'hold') reader.hold(message.market, message.months);
  else if (message.kind === 'forget') {
    reader.forget(message.version);
    collectGarbage();
  } else {
    port.close();
    void clickhouse.close();
  }
});
