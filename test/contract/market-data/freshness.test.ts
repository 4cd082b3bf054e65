import { expect, inject, test } from 'vitest';
import type { Schemas } from '#client/index.ts';
import { ownTenant } from '#support/fleets/contract.ts';
import { Rest } from '#support/rest/rest.ts';
import { DAY_MS } from '#foundation/iso-day.ts';

const tenant = ownTenant();
type Freshness = Schemas['Freshness'];

const inLanguage = (language: string) => ({ headers: { 'accept-language': language } });
const health = async (language = 'id') =>
  (await new Rest(inject('baseUrl')).get<Schemas['Health']>('/api/health', inLanguage(language))).body;

/** The number of weekdays after one day up to another. */
function weekdaysAfter(day: string, last: string): number {
  let count = 0;
  for (let ms = Date.parse(day) + DAY_MS; ms <= Date.parse(last); ms += DAY_MS)
    if (new Date(ms).getUTCDay() % 6 !== 0) count++;
  return count;
}

test('a market that ends in the past says by how many trading days it is behind, since when and why', async () => {
  const { dataset, freshness, status } = await health();
  expect(freshness).toMatchObject({ data_as_of: dataset!.last_date, is_late: true, cause: 'stands_still' });
  const { expected_as_of, behind_trading_days, behind_since, reason } = freshness!;
  const weekdaysBehind = weekdaysAfter(dataset!.last_date, expected_as_of);
  expect(behind_trading_days).toBeLessThanOrEqual(weekdaysBehind);
  // The exchange is closed for eleven weekdays in a row at most.
  expect(behind_trading_days).toBeGreaterThan(0.9 * weekdaysBehind - 11);
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
  await expect.poll(async () => (await ofJob()).freshness).toEqual(wanted);
  expect(JSON.stringify((await ofJob()).result)).not.toContain('behind_trading_days');
});

test('every answer of market data says how fresh it is, also when it was cached or has not changed', async () => {
  const wanted = (await health()).freshness!;
  const expected = [wanted.data_as_of, String(wanted.behind_trading_days)];
  const path = '/api/v1/data/nego?min_val=0';
  let etag = '';
  const shown = async (sent: Record<string, string> = {}) => {
    const { status, headers } = await tenant.rest.get(path, { headers: sent });
    etag = headers.get('etag')!;
    return [status, headers.get('x-data-as-of'), headers.get('x-data-behind-trading-days')];
  };
  await expect.poll(() => shown()).toEqual([200, ...expected]);
  await expect.poll(() => shown({ 'if-none-match': etag })).toEqual([304, ...expected]);
});
