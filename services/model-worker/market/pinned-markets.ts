import { RunFailure } from '#models/inputs/run-failure.ts';
import type { ClickHouseClient } from '#platform/clickhouse/clickhouse.ts';
import { readDatasets } from '#shared/market/dataset-feed.ts';
import { pause } from '#platform/process/waiting.ts';
import { FAILURE, unreadableFor } from '../failures/failure-messages.ts';
import type { Markets } from './markets.ts';
import type { DatasetToLoad, SharedMarket } from './shared-market.ts';

const RETRY_MS = 500;
/** How long a replica of ClickHouse may take to have what another has. */
const VISIBLE_WITHIN_MS = 5_000;

interface PinnedMarketsDependencies {
  clickhouse: ClickHouseClient;
  /** For one version. */
  newMarkets: () => Pick<Markets, 'load' | 'marketFor' | 'stop'>;
  /** Called with the version that was held before. */
  onReplaced: (version: string) => void;
  patienceMs: number;
}

type HeldMarkets = ReturnType<PinnedMarketsDependencies['newMarkets']>;

/** Versions that runs name themselves, whichever is served. One is held, since there is one test market. */
export class PinnedMarkets {
  readonly #deps: PinnedMarketsDependencies;
  #held: { version: string; markets: HeldMarkets } | undefined;

  constructor(deps: PinnedMarketsDependencies) {
    this.#deps = deps;
  }

  /** @throws RunFailure when the version is not in the store, or cannot be read for too long */
  async of(version: string, signal: AbortSignal): Promise<SharedMarket> {
    const held = this.#held?.version === version ? this.#held.markets : await this.#hold(version, signal);
    return held.marketFor('', signal);
  }

  stop(): void {
    this.#held?.markets.stop();
  }

  async #hold(version: string, signal: AbortSignal): Promise<HeldMarkets> {
    const { newMarkets, onReplaced } = this.#deps;
    const dataset = await this.#datasetOf(version, signal);
    const before = this.#held;
    if (before?.version === version) return before.markets;
    const markets = newMarkets();
    markets.load(dataset);
    this.#held = { version, markets };
    before?.markets.stop();
    if (before) onReplaced(before.version);
    return markets;
  }
  /** Waits while ClickHouse is unavailable, and for a moment until a replica has the version. */
  async #datasetOf(version: string, signal: AbortSignal): Promise<DatasetToLoad> {
    const { clickhouse, patienceMs } = this.#deps;
    const begun = performance.now();
    for (;;) {
      const found = await readDatasets(clickhouse, { version }).catch((error: Error) => error);
      if (!(found instanceof Error) && found[0]) return found[0];
      const waitedMs = performance.now() - begun;
      if (found instanceof Error && waitedMs >= patienceMs)
        throw new RunFailure('data_unavailable', unreadableFor(patienceMs), { cause: found });
      if (!(found instanceof Error) && waitedMs >= VISIBLE_WITHIN_MS)
        throw new RunFailure('data_unavailable', FAILURE.notLoaded);
      await pause(RETRY_MS, signal);
      signal.throwIfAborted();
    }
  }
}
