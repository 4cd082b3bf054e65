import { afterAll, beforeAll, expect, test } from 'vitest';
import { KeyIssuer, TENANT_SCOPES } from '#support/fleets/issued-keys.ts';
import { tradedTicker, tradingDays } from '#support/measuring/market-values.ts';
import { beside, TENANT_LOADS } from '#support/measuring/tenant-loads.ts';
import { submitRun } from '#support/rest/jobs.ts';
import type { Rest } from '#support/rest/rest.ts';
import { own } from './fleet.ts';

/** Rounds of calls of another key while a load is running. */
const ROUNDS = 3;

let issuer: KeyIssuer;
let rest: Rest;
let days: string[];
beforeAll(async () => {
  issuer = await KeyIssuer.of(own.fleet.stateDir);
  rest = own.rest.as((await issuer.issue(TENANT_SCOPES.split(','))).key);
  days = await tradingDays(rest, 60);
});
afterAll(() => issuer?.close());

test.each(Object.keys(TENANT_LOADS))(
  'no call of another key fails beside one key with %s',
  async (load) => {
    const ticker = await tradedTicker(rest);
    const { base_url: baseUrl } = await own.fleet.file();
    await beside(load, { issuer, baseUrl, days }, async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const answers = await Promise.all([
          rest.get('/api/health'),
          rest.get(`/api/v1/data/quotes?tickers=${ticker}`),
          rest.get(`/api/v1/data/stocks/${ticker}`),
          rest.post('/api/v1/screens/preview', { rules: 'close > 100' }, { endUser: 'light' }),
        ]);
        expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
        expect(await submitRun(rest, null, '?wait=60')).toMatchObject({ status: 'succeeded' });
      }
    });
  },
  180_000,
);
