import { expect, test } from 'vitest';
import { RunRequests } from '#services/models/runs/run-requests.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { testRuns } from '#support/services/test-runs.ts';

const own = testRuns();

const VERSION = 'synthetic-test-20251230-1';
const DAYS = ['2025-12-29', '2025-12-30'];
const onOrBefore = (date: string) => DAYS.findLast((day) => day <= date);
const testDays = {
  read: async () => ({
    version: VERSION,
    dates: {
      clock: () => new Date('2025-12-30T12:00:00Z'),
      pin: '2025-12-30',
      tradingDays: {
        onOrBefore,
        newestTrained: onOrBefore,
        areKnownWithin: async () => true,
        between: () => DAYS,
        span: { first: DAYS[0]!, last: DAYS[1]! },
      },
    },
  }),
};
const partsWith = (days: typeof testDays) => {
  const { js } = own.worker;
  const requests = new RunRequests({ ...own.parts, js, nats: own.parts.presence, testDays: days });
  return own.runsWith({ turns: requests, testDays: days });
};

test('a run of a test key analyses the last day of the test market and names its version, also if its schedule awaits a later day', async () => {
  const submission = { api_key_id: 'key_test_a', trading_day: '2026-11-27' };
  const { run } = await own.submitTo(partsWith(testDays), submission);
  expect(run).toMatchObject({
    trading_day: null,
    target_date: '2025-12-30',
    params: { analysis_date: '2025-12-30' },
  });
  expect(await own.requestsOf(run)).toMatchObject([
    { pinned_version: VERSION, analysis_date: '2025-12-30', trading_day: undefined },
  ]);
  const { run: other } = await own.submitTo(partsWith(testDays));
  expect(await own.requestsOf(other)).toMatchObject([{ pinned_version: undefined }]);
});

test('a run of a test key is not accepted while the test market is being made', async () => {
  const making = {
    read: () => Promise.reject(new ServiceError('data_unavailable', 'The test market is being made.')),
  };
  const submission = own.submitTo(partsWith(making), { api_key_id: 'key_test_b' });
  await expect(submission).rejects.toMatchObject({ code: 'data_unavailable' });
  expect(await own.runs.newest('key_test_b', 10)).toEqual([]);
});
