import { afterAll, beforeAll, expect } from 'vitest';
import { testOfOwnFleet } from '#support/fleets/contract.ts';
import { Fleet, SMALL_MARKET } from '#support/fleets/fleet.ts';
import { submitRun } from '#support/rest/jobs.ts';
import { Rest } from '#support/rest/rest.ts';

const test = testOfOwnFleet('a pinned date');
/** A Sunday within the sample market. It is no trading day, so the Friday before takes effect. */
const PIN = '2026-06-14';
const FRIDAY_BEFORE = '2026-06-12';

let fleet: Fleet;
let rest: Rest;
beforeAll(async () => {
  fleet = await Fleet.start({ ...SMALL_MARKET, ANALYSIS_DATE_PIN: PIN });
  const { base_url, demo_key } = await fleet.file();
  rest = new Rest(base_url, demo_key);
});
afterAll(() => fleet?.stop());

test.each([
  ['omitted', {}, FRIDAY_BEFORE],
  ['today', { analysis_date: 'today' }, FRIDAY_BEFORE],
  ['later than the pin', { analysis_date: '2026-09-30' }, FRIDAY_BEFORE],
  ['the day after the pin', { analysis_date: '2026-06-15' }, FRIDAY_BEFORE],
  ['the pin', { analysis_date: PIN }, FRIDAY_BEFORE],
  ['an earlier trading day', { analysis_date: '2026-06-04' }, '2026-06-04'],
  ['an earlier Saturday', { analysis_date: '2026-06-06' }, '2026-06-05'],
])(
  'an analysis date that is %s resolves to the pinned trading day in params and as_of',
  async (_, params, day) => {
    const job = await submitRun(rest, params, '?wait=30');
    expect(job).toMatchObject({ status: 'succeeded', result: { as_of: day, target_date: day } });
    expect(job['params']).toMatchObject({ analysis_date: day });
    expect(job['summary']).toMatchObject({ target_date: day });
  },
);

test('an accepted run names the pinned trading day before the analysis starts', async () => {
  for (const params of [{}, { analysis_date: '2026-09-30' }]) {
    const accepted = await submitRun(rest, params);
    expect(accepted).toMatchObject({ finished_at: null, params: { analysis_date: FRIDAY_BEFORE } });
  }
});
