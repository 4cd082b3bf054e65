import { StoreModelResultRequest } from '#proto/saring/market_data/v1/model_results.ts';
import type { DailyResultStore } from '../store/daily-result-store.ts';
import type { ServedMarket } from '../record/served-market.ts';

/** More than one day has. */
const BATCH = 20;

interface DailyResultsDependencies {
  dailyResults: Pick<DailyResultStore, 'oldest' | 'release'>;
  market: Pick<ServedMarket, 'storeResult'>;
}

/**
 * Hands the results of daily runs to market-data, which stores them as fields of stocks. Each is held from the end of its run until it
 * is stored. A process that dies in between, or a second one, hands it over again, which changes nothing.
 */
export class DailyResults {
  readonly #deps: DailyResultsDependencies;

  constructor(deps: DailyResultsDependencies) {
    this.#deps = deps;
  }

  /** @throws Error of the first result that could not be handed over; one that is refused does not hold up the others */
  async poll(stopping: AbortSignal): Promise<void> {
    const { dailyResults, market } = this.#deps;
    const failures: unknown[] = [];
    for (const { job_id, request } of await dailyResults.oldest(BATCH)) {
      if (stopping.aborted) return;
      try {
        await market.storeResult(StoreModelResultRequest.decode(request));
        await dailyResults.release(job_id);
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}
