import { afterAll, beforeAll, expect, test } from 'vitest';
import { UsageServiceService } from '#proto/saring/usage/v1/usage.ts';
import { migrations } from '#services/usage/store/migrations/index.ts';
import { connectClickHouse } from '#platform/clickhouse/clickhouse.ts';
import { migrateClickHouse } from '#platform/clickhouse/migrate.ts';
import { clientOf, identityOf } from '#support/processes/service-process.ts';
import { clickhouseRows } from '#platform/clickhouse/rows.ts';
import { TestUsage } from '#support/services/test-usage.ts';
import { insertUsage, publishUsage, succeeded, usageEvent } from '#support/usage/usage-events.ts';

const own = new TestUsage();
const LATER = { timeout: 20_000, interval: 100 };

/** What every state of a run had before the ledger knew datasets and error codes. */
const eventOf = (status: string, event_id: string) =>
  status === 'succeeded' ? succeeded(usageEvent({ event_id })) : usageEvent({ event_id, status });
const READ = { dataset_version: 'real-20261119-1', dataset_kind: 'real' };

const [stored, late, waiting, waitingFailed] = [
  eventOf('succeeded', 'ue_1_stored'),
  eventOf('started', 'ue_2_late'),
  eventOf('succeeded', 'ue_3_waiting'),
  eventOf('failed', 'ue_4_waiting'),
];
const lateEnd = { ...succeeded(late), ...READ };
const failed = { ...eventOf('failed', 'ue_5_new'), ...READ, error_code: 'timeout' };

/** A ledger with rows of the version before these columns, and events of that version in the stream. */
beforeAll(async () => {
  await own.startServers();
  const client = connectClickHouse(own.clickhouse.urlOf('usage'));
  await migrateClickHouse(client, 'usage', migrations);
  await insertUsage(client, [stored, late]);
  await client.close();
  for (const event of [waiting, waitingFailed]) await publishUsage(own.publisher, event);
  await own.startService();
});
afterAll(() => own.stop());

test('an upgrade keeps the rows and events of the earlier version, without dataset and error code', async () => {
  for (const event of [lateEnd, failed]) await publishUsage(own.publisher, event);
  await expect.poll(() => own.waiting(), LATER).toBe(0);
  const columns = 'event_id, status, dataset_version, dataset_kind, error_code';
  expect(await clickhouseRows(own.sql, `SELECT ${columns} FROM usage.run_v3 ORDER BY event_id`)).toEqual([
    { event_id: 'ue_1_stored', status: 'succeeded', dataset_version: '', dataset_kind: '', error_code: '' },
    { event_id: 'ue_2_late', status: 'succeeded', ...READ, error_code: '' },
    { event_id: 'ue_3_waiting', status: 'succeeded', dataset_version: '', dataset_kind: '', error_code: '' },
    { event_id: 'ue_4_waiting', status: 'failed', dataset_version: '', dataset_kind: '', error_code: '' },
    { event_id: 'ue_5_new', status: 'failed', ...READ, error_code: 'timeout' },
  ]);
});

test('rows of the earlier version count as recorded, so that their runs are not published again and again', async () => {
  const models = clientOf(UsageServiceService, own.service.address, {
    unavailableCode: 'internal_error',
    timeoutMs: 8_000,
    identity: identityOf('models'),
  });
  const runs = [stored, lateEnd, waiting, waitingFailed, failed].map(
    ({ event_id, api_key_id, ts, status }) => ({ event_id, api_key_id, ts, status }),
  );
  const found = await models.findUnrecorded({ runs }, { requestId: 'req_test' });
  models.close();
  expect(found).toMatchObject({ missing: [], stale: [] });
});
