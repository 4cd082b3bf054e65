import type { ClickHouseAddress } from '#platform/clickhouse/address.ts';
import { collectGarbage } from '#platform/process/collect-garbage.ts';
import { returnMemory } from '#platform/process/return-memory.ts';
import type { Logger } from '#platform/operations/logger.ts';
import { DatasetInUse } from './dataset-in-use.ts';
import { MarketLoader } from './load-market.ts';
import type { Market } from './loaded-dataset.ts';
import { MarketOverviews } from './market-overviews.ts';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Creates the holder of the dataset, still empty, what loads it, and its overviews, which are computed before a dataset answers. */
export function marketInMemory(
  clickhouseAt: ClickHouseAddress,
  log: Logger,
): { inUse: DatasetInUse; overviews: MarketOverviews; loader: MarketLoader } {
  const overviews = new MarketOverviews();
  const loader = new MarketLoader(clickhouseAt, freeMemory);
  const pause = new SwitchPause(log);
  const inUse = new DatasetInUse({
    load: pause.from((dataset, loaded) => loader.load(dataset, loaded)),
    log,
    prepare: ({ panel }) => overviews.prepare(panel),
    onReplaced: pause.until((...markets) => {
      if (markets.some(isWorthFreeing)) freeMemory();
    }),
  });
  return { inUse, overviews, loader };
}

/** The event loop delay is measured with a timer of this period; measured delays include the period. */
const PERIOD_MS = 5;
const FEW_ROWS = 10_000;
/** An operator should know if a request waits longer than this because of a switch. */
const MAX_PAUSE_MS = 100;
/** By then garbage has been collected too. */
const SETTLED_AFTER_MS = 1_000;

/** What fewer rows leave behind is less than a megabyte, for which a collection need not stop this process. */
function isWorthFreeing(market: Market | undefined): boolean {
  return market !== undefined && market.panel.rowCount + market.brokerFlow.rowCount > FEW_ROWS;
}

/** Frees what a load leaves behind: a replaced dataset, and the buffers through which the rows came. */
function freeMemory(): void {
  collectGarbage();
  setTimeout(() => void returnMemory(), SETTLED_AFTER_MS).unref();
}

/** Measures the longest time that a request had to wait while a dataset was loaded and replaced another. */
class SwitchPause {
  readonly #log: Logger;
  readonly #delayNs = monitorEventLoopDelay({ resolution: PERIOD_MS });
  #loads = 0;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Wraps `load`, which marks the start of a switch. */
  from<Args extends unknown[], Loaded>(load: (...args: Args) => Loaded): (...args: Args) => Loaded {
    return (...args) => {
      this.#delayNs.reset();
      // The first load replaces nothing, and overlaps with the start of the process.
      if (++this.#loads > 1) this.#delayNs.enable();
      return load(...args);
    };
  }

  /** Wraps `tidyUp`, which marks the end of a switch. */
  until<Args extends unknown[]>(tidyUp: (...args: Args) => void): (...args: Args) => void {
    return (...args) => {
      tidyUp(...args);
      if (this.#loads > 1) setTimeout(() => this.#notify(), SETTLED_AFTER_MS).unref();
    };
  }

  #notify(): void {
    this.#delayNs.disable();
    const longestMs = Math.max(0, this.#delayNs.max / 1e6 - PERIOD_MS);
    const level = longestMs > MAX_PAUSE_MS ? 'warn' : 'debug';
    this.#log[level]({ longest_pause_ms: Math.round(longestMs) }, 'switched to another dataset');
  }
}
