import type { TestMarketDays } from '#services/models/analysis-day/test-market-days.ts';

/** For tests without test keys. */
export const noTestMarket: Pick<TestMarketDays, 'read'> = {
  read: () => Promise.reject(new Error('no test key is part of this test')),
};
