import { RunFailure } from '#models/screen.ts';
import type { ClickHouseClient } from '#shared/clickhouse/clickhouse.ts';
import { readDatasets } from '#shared/market/dataset-feed.ts';
import { FAILURE, unreadableFor } from '../failure-messages.ts';
import type { Markets } from './markets.ts';
import type { SharedMarket } from './shared-market.ts';

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
    const held = this.#held?.version === version ? this.#held.markets : await this.#hold(version);
    return held.marketFor('', signal);
  }

  stop(): void {
    this.#held?.markets.stop();
  }

  async #hold(version: string): Promise<HeldMarkets> {
    const { clickhouse, newMarkets, onReplaced, patienceMs } = this.#deps;
    const [dataset] = await readDatasets(clickhouse, { version }).catch((cause: unknown) => {
      throw new RunFailure('data_unavailable', unreadableFor(patienceMs), { cause });
    });
    if (!dataset) throw new RunFailure('data_unavailable', FAILURE.notLoaded);
    const before = this.#held;
    if (before?.version === version) return before.markets;
    const markets = newMarkets();
    markets.load(dataset);
    this.#held = { version, markets };
    before?.markets.stop();
    if (before) onReplaced(before.version);
    return markets;
  }
}
