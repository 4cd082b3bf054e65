import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { UsageRecorded } from '#proto/saring/events/v1/usage.ts';
import { UsageServiceService } from '#proto/saring/usage/v1/usage.ts';
import type { ServiceClient } from '#platform/grpc/client.ts';
import { testUsage } from '#support/services/test-usage.ts';
import { clientOf, identityOf } from '#support/processes/service-process.ts';
import { insertUsage, succeeded, usageEvent } from '#support/usage/usage-events.ts';
import { DAY_MS } from '#foundation/iso-day.ts';

const DAYS_KEPT = 30;
const RUNS_KEPT = 10;
const own = testUsage({ USAGE_CEILING_ROWS: String(RUNS_KEPT), USAGE_RETENTION_DAYS: String(DAYS_KEPT) });

/** A client like that of the models service. */
let models: ServiceClient<UsageServiceService>;
beforeAll(() => {
  models = clientOf(UsageServiceService, own.service.address, { identity: identityOf('models') });
});
afterAll(() => models?.close());
beforeEach(() => own.sql.command({ query: 'TRUNCATE TABLE usage.event' }));

const runOf = (daysAgo: number) => succeeded(usageEvent({ ts: new Date(Date.now() - daysAgo * DAY_MS) }));
const idsOf = (events: UsageRecorded[]) => events.map(({ event_id }) => event_id).toSorted();

async function find(events: UsageRecorded[]): Promise<{ missing: string[]; stale: string[] }> {
  const runs = events.map(({ event_id, api_key_id, ts, status }) => ({ event_id, api_key_id, ts, status }));
  const { missing, stale } = await models.findUnrecorded({ runs }, { requestId: 'req_test' });
  return { missing: missing.toSorted(), stale: stale.toSorted() };
}

test('a run without a row is missing, with an earlier state stale, and otherwise recorded', async () => {
  const [absent, started, same, ahead] = [runOf(1), runOf(2), runOf(3), runOf(4)];
  await insertUsage(own.sql, [{ ...started, status: 'started' }, same, ahead]);
  const wanted = [absent, started, same, { ...ahead, status: 'started' }];
  expect(await find(wanted)).toEqual({ missing: idsOf([absent]), stale: idsOf([started]) });
});

test('the caller’s final state prevails over the recorded one', async () => {
  const run = runOf(1);
  await insertUsage(own.sql, [{ ...run, status: 'failed' }]);
  expect(await find([run])).toEqual({ missing: [], stale: [run.event_id] });
});

test('runs beyond the retention are not reported as missing', async () => {
  const young = runOf(DAYS_KEPT - 1);
  expect(await find([young, runOf(DAYS_KEPT), runOf(DAYS_KEPT + 40)])).toMatchObject({
    missing: [young.event_id],
  });
});

test('runs beyond the ceiling are not reported as missing, whether or not the ledger is full', async () => {
  const kept = Array.from({ length: RUNS_KEPT }, (_, index) => runOf(10 + index));
  await insertUsage(own.sql, kept);
  const [younger, older] = [
    [runOf(1), runOf(12.5)],
    [runOf(25), runOf(26)],
  ];
  expect((await find([...older, ...younger])).missing).toEqual(idsOf(younger));
  await own.sql.command({ query: 'TRUNCATE TABLE usage.event' });
  await insertUsage(own.sql, kept.slice(0, RUNS_KEPT - 1));
  expect((await find(older)).missing).toEqual(idsOf(older.slice(0, 1)));
});

test('too many runs at once, an unknown status and a run without a time are refused', async () => {
  const run = runOf(1);
  await expect(find(Array<UsageRecorded>(1_001).fill(run))).rejects.toMatchObject({
    code: 'invalid_request',
  });
  await expect(find([{ ...run, status: 'queued' }])).rejects.toMatchObject({ code: 'invalid_request' });
  await expect(find([{ ...run, ts: undefined }])).rejects.toMatchObject({ code: 'invalid_request' });
});
