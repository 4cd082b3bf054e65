import type { Dataset, Freshness } from '#proto/saring/market_data/v1/datasets.ts';
import type { ClickHouseAddress } from '#platform/clickhouse/address.ts';
import type { Logger } from '#platform/operations/logger.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { endedWithin, pause } from '#platform/process/waiting.ts';
import type { Importer } from '../import/importer.ts';
import type { ImportSource } from '../import/request/import-source.ts';
import { Progress } from '../import/request/progress.ts';
import { sampleMarket } from '../import/synthesis/sample-market.ts';
import { marketInMemory } from '../in-memory/market-in-memory.ts';
import { knownFields } from '../screening/field-catalogue.ts';
import { FieldMarkets } from '../screening/field-columns.ts';
import { Screening } from '../screening/screening.ts';
import type { AnsweringMarket } from './answering-market.ts';

/**
 * What the test market is made of: enough stocks and days for every model to train on and to pick some, and few enough to be made within
 * a request. Tests of applications expect its figures, so a change here belongs into the changelog.
 */
const MADE_OF = { seed: 6, tickers: 100, days: 500, last_date: '2025-12-30' };
/** The evening of its last day, when its closes are known. It is always that time in the test market. */
const EVENING = new Date(`${MADE_OF.last_date}T12:00:00Z`);
/** No facts are imported into it, and no model runs daily on it. */
const FIELDS = knownFields({ facts: [] });
/** Making it takes a second or two. Callers' own deadlines are longer. */
const FIRST_ANSWER_MS = 4_000;
const RETRY_MS = 1_000;
/** A statement of its making may take longer. What it leaves behind is removed at the next start. */
const STOP_WITHIN_MS = 2_000;

interface TestMarketDependencies {
  clickhouseAt: ClickHouseAddress;
  importer: Pick<Importer, 'keep'>;
  fieldBytes: number;
  log: Logger;
}

/**
 * The market of test keys. Its version is made when a test key first asks for it, and kept beside the served one. It costs nothing
 * where there is no test key.
 */
export class TestMarket {
  readonly #answering: AnsweringMarket;
  readonly #deps: TestMarketDependencies;
  readonly #memory: ReturnType<typeof marketInMemory>;
  readonly #fieldMarkets: FieldMarkets;
  readonly #stop = new AbortController();
  #begun: Promise<void> | undefined;

  constructor(deps: TestMarketDependencies) {
    this.#deps = deps;
    const { clickhouseAt, fieldBytes, log } = deps;
    this.#memory = marketInMemory(clickhouseAt, log);
    this.#fieldMarkets = new FieldMarkets(clickhouseAt, fieldBytes);
    const { inUse, overviews } = this.#memory;
    const inMemory = {
      get: () => this.#loaded(),
      current: () => inUse.current(),
      changedWithin: (...until: Parameters<typeof inUse.changedWithin>) => inUse.changedWithin(...until),
    };
    const known = async () => FIELDS;
    const fieldCatalogue = { get: known, newest: known, refresh: known };
    this.#answering = {
      inUse: inMemory,
      overviews,
      fieldCatalogue,
      screening: new Screening(inMemory, this.#fieldMarkets, fieldCatalogue),
      freshness: { of: fresh },
      clock: () => EVENING,
    };
  }

  /** What answers for it. Begins to make and load it, if that has not begun yet. */
  get answering(): AnsweringMarket {
    this.#begun ??= this.#makeAndLoad();
    return this.#answering;
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    this.#memory.inUse.stop();
    this.#fieldMarkets.stop();
    await this.#memory.loader.stop();
    await endedWithin(this.#begun ?? Promise.resolve(), STOP_WITHIN_MS);
  }

  /** @throws ServiceError data_unavailable while it is being made */
  async #loaded(): ReturnType<AnsweringMarket['inUse']['get']> {
    if (!(await endedWithin(this.#begun!, FIRST_ANSWER_MS)))
      throw new ServiceError('data_unavailable', 'The test market is being made. Try again in a moment.');
    return this.#memory.inUse.get();
  }

  /** Another process may be changing the store, or the store may be unavailable. */
  async #makeAndLoad(): Promise<void> {
    const { importer, log } = this.#deps;
    const { signal } = this.#stop;
    for (let failures = 0; !signal.aborted; failures++) {
      try {
        const dataset = await importer.keep(source(signal), new Progress(), signal);
        log.info({ version: dataset.version }, 'the test market is there');
        return this.#memory.inUse.use(dataset);
      } catch (error) {
        if (!signal.aborted && failures === 0)
          log.warn({ reason: (error as Error).message }, 'the test market could not be made yet');
        await pause(RETRY_MS, signal);
      }
    }
  }
}

function source(signal: AbortSignal): ImportSource {
  const made = sampleMarket(MADE_OF, MADE_OF, signal);
  return { ...made, source: `the test market: ${made.source}`, action: 'sample', actor: '', mayShrink: true };
}

/** It lacks no day, because no day comes after its last. */
function fresh({ last_date }: Dataset): Freshness {
  return {
    data_as_of: last_date,
    expected_as_of: last_date,
    behind_trading_days: 0,
    is_late: false,
    missing_days: [],
    missing_day_count: 0,
  };
}
