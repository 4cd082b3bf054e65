import { expect, inject, test } from 'vitest';
import type { Schemas } from '#client/index.ts';
import { HANGS_AFTER_MS } from '#support/hangs.ts';
import { ownTenant } from '#support/fleets/contract.ts';
import { Rest } from '#support/fleets/rest.ts';

const tenant = ownTenant();
type Freshness = Schemas['Freshness'];
const PATIENTLY = { timeout: HANGS_AFTER_MS };

const inLanguage = (language: string) => ({ headers: { 'accept-language': language } });
const health = async (language = 'id') =>
  (await new Rest(inject('baseUrl')).get<Schemas['Health']>('/api/health', inLanguage(language))).body;

test('a market that ends in the past says by how many trading days it is behind, since when and why', async () => {
  const { dataset, freshness, status } = await health();
  expect(freshness).toMatchObject({ data_as_of: dataset!.last_date, is_late: true, cause: 'stands_still' });
  const { expected_as_of, behind_trading_days, behind_since, reason } = freshness!;
  // The exchange trades on 236 to 247 days of a year.
  const years = (Date.parse(expected_as_of) - Date.parse(dataset!.last_date)) / 86_400_000 / 365.25;
  expect(behind_trading_days / years).toBeGreaterThan(225);
  expect(behind_trading_days / years).toBeLessThan(255);
  expect(behind_since).toMatch(/T18:35:00.000\+07:00$/);
  expect(behind_since! > dataset!.last_date).toBe(true);
  expect(reason).toBe('Pasar buatan ini tidak berlanjut.');
  expect((await health('en')).freshness!.reason).toBe('This generated market does not go on.');
  expect(status).toBe('ok');
});

test('the market overview and every job say the same as health, in the language of the caller', async () => {
  const wanted = (await health('en')).freshness;
  const overview = () =>
    tenant.rest.get<{ freshness: Freshness }>('/api/v1/data/market-overview', inLanguage('en'));
  const { status, body } = await overview();
  expect([status, body.freshness]).toEqual([200, wanted]);
  const job = await tenant.client.runAndWait('confluence_filter');
  const ofJob = async () => {
    const path = `/api/v1/jobs/${job.job_id}`;
    return (await tenant.rest.get<Schemas['Job']>(path, inLanguage('en'))).body;
  };
  await expect.poll(async () => (await ofJob()).freshness, PATIENTLY).toEqual(wanted);
  expect(JSON.stringify((await ofJob()).result)).not.toContain('behind_trading_days');
});

test('every answer of market data says how fresh it is, also when it was cached or has not changed', async () => {
  const wanted = (await health()).freshness!;
  const expected = [wanted.data_as_of, String(wanted.behind_trading_days)];
  const path = '/api/v1/data/nego?min_val=0';
  let etag = '';
  const shown = async (init: { headers?: Record<string, string> } = {}) => {
    const { status, headers } = await tenant.rest.get(path, init);
    etag = headers.get('etag')!;
    return [status, headers.get('x-data-as-of'), headers.get('x-data-behind-trading-days')];
  };
  await expect.poll(() => shown(), PATIENTLY).toEqual([200, ...expected]);
  await expect
    .poll(() => shown({ headers: { 'if-none-match': etag } }), PATIENTLY)
    .toEqual([304, ...expected]);
});
