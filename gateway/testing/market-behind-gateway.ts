import { setTimeout as sleep } from 'node:timers/promises';
import type { SourceState } from '#proto/saring/events/v1/feeds.ts';
import type { WatchDatasetResponse } from '#proto/saring/market_data/v1/datasets.ts';
import type { MarketDataServiceService } from '#proto/saring/market_data/v1/market_data.ts';
import { IDX_CALENDAR } from '#quant/exchange/calendar/trading-calendar.ts';
import { epochDayFromIso, isoFromEpochDay } from '#foundation/iso-day.ts';
import type { Panel } from '#quant/panel/panel.ts';
import { panelOf } from '#quant/panel/panel-fixture.ts';
import { CursorSigner } from '#platform/paging/cursor.ts';
import type { Handlers } from '#platform/grpc/server.ts';
import { createLogger } from '#platform/operations/logger.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { loadedOf, rowsInMemory, marketOf } from '#services/market-data/in-memory/loaded-fixture.ts';
import { MarketFreshness } from '#services/market-data/freshness/freshness.ts';
import { DatasetInUse, datasetStates } from '#services/market-data/in-memory/dataset-in-use.ts';
import { MarketOverviews } from '#services/market-data/in-memory/market-overviews.ts';
import { marketDataHandlers } from '#services/market-data/server.ts';
import type { OwnHandlers } from './fake-services.ts';

/** Last trading day of every version. */
export const LAST_DAY = '2024-06-28';
const TRADING_DAYS = 30;

/** Handlers of the market-data service, over small markets that a test publishes and with a clock that the test sets. */
export class MarketBehindGateway {
  /** The names of all calls for data so far. */
  readonly calls: string[] = [];
  now = new Date(`${LAST_DAY}T12:00:00+07:00`);
  /** Delay before a watcher receives a new state. */
  tellsAfterMs = 0;
  /** What the feed says of its sources. */
  sources: SourceState[] | 'none' = 'none';
  #published = 0;
  #isMute = false;
  #muted = new AbortController();
  readonly #clock = () => this.now;
  readonly #inUse = new DatasetInUse({
    load: async ({ version }) => marketOf(marketNumbered(numberOf(version))),
    log: createLogger('market', 'silent'),
    onReplaced: () => {},
  });

  readonly #market = {
    inUse: this.#inUse,
    clock: this.#clock,
    freshness: new MarketFreshness({
      calendar: IDX_CALENDAR,
      clock: this.#clock,
      pace: 'off',
      syntheticDayMs: 0,
      feed: { sources: () => this.sources },
    }),
  };

  /** Publishes a newer version, which answers from then on. Returns its number. */
  async publish(): Promise<number> {
    const number = ++this.#published;
    const { dataset } = loadedOf(marketNumbered(number), { version: `real-20240628-${number}` });
    this.#inUse.use(dataset);
    await this.#inUse.serves(dataset.version, 1_000);
    return number;
  }

  /** Ends every watch and refuses new ones. */
  mute(): void {
    this.#isMute = true;
    this.#muted.abort();
    this.#muted = new AbortController();
  }

  unmute(): void {
    this.#isMute = false;
  }

  get handlers(): OwnHandlers {
    const overviews = new MarketOverviews();
    const cursors = new CursorSigner(['cursor-secret-of-a-test']);
    const { inUse, freshness, clock } = this.#market;
    const market = { inUse, overviews, freshness, clock };
    const marketData = marketDataHandlers({
      marketOf: () => market,
      rowsOfDay: rowsInMemory,
      barSources: async () => [],
      cursors,
    });
    return {
      datasets: { watchDataset: (_request, { signal }) => this.#states(signal) },
      marketData: this.#counted(marketData),
    };
  }

  async *#states(left: AbortSignal): AsyncGenerator<WatchDatasetResponse> {
    if (this.#isMute) throw new ServiceError('data_unavailable', 'mute');
    const ended = AbortSignal.any([left, this.#muted.signal]);
    for await (const state of datasetStates(this.#market, ended)) {
      if (this.tellsAfterMs > 0) await sleep(this.tellsAfterMs);
      yield state;
    }
  }

  #counted(handlers: Handlers<MarketDataServiceService>): Handlers<MarketDataServiceService> {
    const counted = Object.entries(handlers).map(([name, handler]) => [
      name,
      (request: never, call: never) => {
        this.calls.push(name);
        return handler(request, call);
      },
    ]);
    return Object.fromEntries(counted) as Handlers<MarketDataServiceService>;
  }
}

/** The number of a version; it grows from version to version. */
export const numberOf = (version: string): number => Number(version.split('-').at(-1));

/** A market whose prices encode its number. */
function marketNumbered(number: number): Panel {
  const lastDay = epochDayFromIso(LAST_DAY);
  const days = Array.from({ length: TRADING_DAYS }, (_, i) =>
    isoFromEpochDay(lastDay + 1 - TRADING_DAYS + i),
  );
  const bars = ['AAAA', 'BBBB', 'CCCC'].flatMap((ticker) =>
    days.map((date) => ({ ticker, date, close: 1_000 * number })),
  );
  return panelOf(bars);
}
