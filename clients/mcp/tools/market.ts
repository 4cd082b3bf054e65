import type { SaringClient } from '#client/index.ts';

/** How long what is known of the market serves further answers. Health is one request that needs no key. */
const KEPT_MS = 30_000;

const OF_TESTS = [
  'TEST: this key sees the test market, which is generated and always the same. No price in it was ever real.',
  'Its last day is 2025-12-30, and it is always the evening of that day.',
];
const NO_ADVICE = 'Screens and chances describe the past. Nothing here is a recommendation to buy or sell.';

/** What every answer must say of the market that its numbers come from. */
export class Market {
  readonly #isTest: boolean;
  #known: { caveats: string[]; untilMs: number } | undefined;

  /** @param isTest whether its callers have test keys, which see the test market */
  constructor({ isTest = false } = {}) {
    this.#isTest = isTest;
  }

  /** Sentences for whoever reads the numbers, the most important first. They are the same for every caller. */
  async caveats(saring: Pick<SaringClient, 'health'>, signal: AbortSignal): Promise<string[]> {
    if (this.#isTest) return [...OF_TESTS, NO_ADVICE];
    if (this.#known && performance.now() < this.#known.untilMs) return this.#known.caveats;
    const { synthetic, synthetic_brokers, dataset, freshness } = await saring.health({ signal });
    const caveats = [
      ...(synthetic ? ['SYNTHETIC: this market is generated for tests. No price in it was ever real.'] : []),
      ...(synthetic_brokers && !synthetic
        ? ['Broker rows are made up. Say so wherever you show brokers.']
        : []),
      ...(dataset
        ? [`All data are as of ${dataset.whole_until}, the end of that trading day. Nothing is live.`]
        : []),
      ...(freshness?.is_late
        ? [
            `${freshness.behind_trading_days} trading days are missing; the newest should be ${freshness.expected_as_of}.`,
          ]
        : []),
      NO_ADVICE,
    ];
    this.#known = { caveats, untilMs: performance.now() + KEPT_MS };
    return caveats;
  }
}
