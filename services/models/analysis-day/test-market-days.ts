import { TEST_MARKET, isTestKey, isTestVersion } from '#foundation/test-market.ts';
import type { MarketClients } from '../connect-market.ts';
import type { SpanDates } from './analysis-date.ts';
import { daysUnknown, TradingDays } from './trading-days.ts';

/** The test market is made when it is first asked for. Well below the deadline of whoever submits a run. */
const TIMEOUT_MS = 3_000;

/** What runs on the test market read, and which days they may analyse. */
interface TestMarketDates {
  version: string;
  dates: SpanDates;
}

/** The trading days of the test market, which are read when a test key needs them. */
export class TestMarketDays {
  readonly #days: TradingDays;

  constructor(datasets: MarketClients['datasets']) {
    this.#days = new TradingDays(datasets, () => true, { market: TEST_MARKET, timeoutMs: TIMEOUT_MS });
  }

  /**
   * While market-data is unavailable, what was read last remains valid.
   * @throws ServiceError data_unavailable while the test market is being made
   */
  async read(): Promise<TestMarketDates> {
    await this.#days.refresh().catch((error: unknown) => {
      if (!this.#days.span) throw error;
    });
    const { version, span } = this.#days;
    // A market-data service of an earlier release answers for the served market.
    if (!span || !isTestVersion(version)) throw daysUnknown();
    // It is always the evening of its last day there.
    const clock = () => new Date(`${span.last}T12:00:00Z`);
    return { version, dates: { clock, pin: span.last, tradingDays: this.#days } };
  }
}

/**
 * Decides which days runs of a key may analyse.
 * @throws ServiceError data_unavailable while the test market is being made, for a test key
 */
export async function datesOfKey(
  served: SpanDates,
  testDays: Pick<TestMarketDays, 'read'>,
  apiKeyId: string,
): Promise<SpanDates> {
  return isTestKey(apiKeyId) ? (await testDays.read()).dates : served;
}

/**
 * The dataset version that runs of a key read; undefined for the served one.
 * @throws ServiceError data_unavailable while the test market is being made, for a test key
 */
export async function pinnedVersionOf(
  testDays: Pick<TestMarketDays, 'read'>,
  apiKeyId: string,
): Promise<string | undefined> {
  return isTestKey(apiKeyId) ? (await testDays.read()).version : undefined;
}
