import { setImmediate as nextTurn } from 'node:timers/promises';
import { MarketDataServiceService } from '#proto/saring/market_data/v1/market_data.ts';
import { IDX_CALENDAR } from '#quant/exchange/calendar/trading-calendar.ts';
import { DatasetInUse } from '#services/market-data/in-memory/dataset-in-use.ts';
import { MarketLoader } from '#services/market-data/in-memory/load-market.ts';
import { MarketOverviews } from '#services/market-data/in-memory/market-overviews.ts';
import { OlderBrokerDays } from '#services/market-data/in-memory/older-broker-days.ts';
import { MarketFreshness } from '#services/market-data/freshness/freshness.ts';
import { marketDataHandlers } from '#services/market-data/server.ts';
import { connectClickHouse } from '#platform/clickhouse/clickhouse.ts';
import { readArrow } from '#platform/clickhouse/clickhouse-arrow.ts';
import { systemClock } from '#foundation/clock.ts';
import { CursorSigner } from '#platform/paging/cursor.ts';
import { readDatasets, servedVersion } from '#shared/market/dataset-feed.ts';
import { createLogger } from '#platform/operations/logger.ts';
import type { Call } from '#platform/grpc/call-context.ts';
import type { MarketSample } from './market-sample.ts';
import { spread, type Figure } from '#support/measuring/report.ts';

const CALLS = 200;
const LOADED_WITHIN_MS = 60_000;
const FLOW_TYPES = ['foreign', 'retail', 'bandar'] as const;
const WIDEST = { days: 120, top_n: 100, sort_by: 'value' } as const;

/**
 * How long a response blocks all other requests. Runs the service's own handlers in this process on the same dataset, and
 * measures the longest turn of the event loop from the request to the encoded answer. The first calls, with cold code, count
 * too.
 */
export async function blockingFigures(clickhouseUrl: string, sample: MarketSample): Promise<Figure[]> {
  const clickhouse = connectClickHouse(clickhouseUrl);
  const log = createLogger('bench', 'silent');
  const loader = new MarketLoader({ url: clickhouseUrl }, () => {});
  const load = loader.load.bind(loader);
  const inUse = new DatasetInUse({ load, log, onReplaced: () => {} });
  try {
    const [served] = await readDatasets(clickhouse, { version: (await servedVersion(clickhouse)) ?? '' });
    inUse.use(served!);
    if (!(await inUse.serves(served!.version, LOADED_WITHIN_MS)))
      throw new Error('the dataset was not loaded');
    const { rowsOfDay } = new OlderBrokerDays((...query) => readArrow(clickhouse, ...query));
    const overviews = new MarketOverviews();
    const cursors = new CursorSigner(['cursor-secret-of-the-bench']);
    const freshness = new MarketFreshness({
      calendar: IDX_CALENDAR,
      clock: systemClock,
      pace: 'off',
      syntheticDayMs: 0,
      feed: { sources: () => undefined },
    });
    const market = { inUse, overviews, freshness, clock: systemClock };
    const handlers = marketDataHandlers({
      marketOf: () => market,
      rowsOfDay,
      barSources: async () => [],
      cursors,
    });
    const figures: Figure[] = [];
    for (const [what, work] of Object.entries(worksOf(handlers, sample))) {
      const turns: LongestTurn[] = [];
      for (let n = 0; n < CALLS; n++) turns.push(await longestTurnOf(() => work(n)));
      figures.push(figureOf(what, turns));
    }
    return figures;
  } finally {
    inUse.stop();
    await loader.stop();
    await clickhouse.close();
  }
}

function figureOf(what: string, turns: LongestTurn[]): Figure {
  const elapsed = turns.map(({ elapsedMs }) => elapsedMs);
  const processor = turns.map(({ processorMs }) => processorMs);
  return {
    what: `event loop held up by ${what}`,
    measured: `${spread(elapsed, [0.5, 0.99, 1])} ms; at most ${spread(processor, [1])} ms of processor`,
    bar: 'max < 20 ms',
  };
}

type Handlers = ReturnType<typeof marketDataHandlers>;

function worksOf(handlers: Handlers, { tickers, brokers }: MarketSample) {
  const call = { requestId: 'req_bench' } as Call;
  const at = <T>(items: readonly T[], n: number) => items[n % items.length]!;
  const several = (n: number, count: number) => Array.from({ length: count }, (_, i) => at(tickers, n + i));
  const encoded = async <K extends keyof Handlers>(name: K, request: Parameters<Handlers[K]>[0]) => {
    const response = await (handlers[name] as (request: unknown, call: Call) => unknown)(request, call);
    return MarketDataServiceService[name].responseSerialize(response as never);
  };
  const negoDay = { date: 'today', min_val: 0, top_n: 100 };
  const floors = { min_abs_val: 0, min_price: 0, min_daily_val: 0 };
  const consistent = { pattern: 'total', min_accum_day_ratio: 0.6, max_price_change_pct: 6 } as const;
  return {
    'the 250-day snapshot': (n: number) => encoded('getSnapshot', { ticker: at(tickers, n), days: 250 }),
    'compare of 10': (n: number) => encoded('compare', { tickers: several(n, 10), days: 250 }),
    flows: (n: number) =>
      encoded('listFlows', { flow_type: at(FLOW_TYPES, n), ...WIDEST, ...floors, ...consistent }),
    'the nego scan': () => encoded('scanNego', negoDay),
    'the nego window': () => encoded('scanNegoWindow', { days: 120, min_val: 0, top_n: 100 }),
    'the list of stocks': () => encoded('listStocks', { limit: 1_000 }),
    'bars of 1,000 days': (n: number) =>
      encoded('listBars', { ticker: at(tickers, n), interval: 'day', adjusted: 'true', limit: 1_000 }),
    'corporate actions of a stock': (n: number) =>
      encoded('listActions', { ticker: at(tickers, n), limit: 1_000 }),
    'bars of a day': () => encoded('listBarsOfDay', { date: 'today', adjusted: 'true', limit: 1_000 }),
    'the market overview': () => encoded('getMarketOverview', {}),
    'stocks of a broker': (n: number) =>
      encoded('listBrokerStocks', { broker: at(brokers, n), market: 'REG', ...WIDEST }),
    'turning points of 50': (n: number) =>
      encoded('listTurningPoints', { tickers: several(n, 50), lookback: 60 }),
  };
}

/** The longest turn of this process's event loop, ms: elapsed time and CPU time. */
interface LongestTurn {
  elapsedMs: number;
  processorMs: number;
}

/**
 * The longest turn of the event loop during the work. On a busy machine the elapsed time includes CPU time that other processes
 * took.
 */
async function longestTurnOf(work: () => Promise<unknown>): Promise<LongestTurn> {
  await nextTurn();
  const longest = { elapsedMs: 0, processorMs: 0 };
  let isOver = false;
  let [before, usedBefore] = [performance.now(), usedMs()];
  const turn = () => {
    const [now, used] = [performance.now(), usedMs()];
    longest.elapsedMs = Math.max(longest.elapsedMs, now - before);
    longest.processorMs = Math.max(longest.processorMs, used - usedBefore);
    [before, usedBefore] = [now, used];
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  isOver = true;
  await nextTurn();
  return longest;
}

/** CPU time of this thread, user and system, ms. */
function usedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
