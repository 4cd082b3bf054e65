import { expectTypeOf, test } from 'vitest';
import type { Schemas } from './transport/api-types.ts';
import { resultOf, SaringClient, type FinishedJob, type SaringError, type SaringErrorCode } from './index.ts';

const client = new SaringClient({ baseUrl: 'http://saring.test', apiKey: 'sar_test' });

test('a result has the type of its model and its view', () => {
  const full = () => client.runAndWait('model_f_combined').then(resultOf);
  const compact = () => client.runAndWait('model_f_combined', { view: 'compact' }).then(resultOf);
  const other = () => client.runAndWait('confluence_filter', { params: { lookback: 7 } }).then(resultOf);
  expectTypeOf(full).returns.resolves.toEqualTypeOf<Schemas['CombinedResult']>();
  expectTypeOf(compact).returns.resolves.toEqualTypeOf<Schemas['CombinedCompactResult']>();
  expectTypeOf(other).returns.resolves.toEqualTypeOf<Schemas['ConfluenceFilterResult']>();
});

test('a view that a model lacks is a type error; a model that the client does not know is not', () => {
  // @ts-expect-error: it has the full view alone
  const refused = () => client.runAndWait('confluence_filter', { view: 'compact' });
  const later = () => client.runAndWait('model_g_v1', { view: 'compact' });
  expectTypeOf(refused).toBeFunction();
  expectTypeOf(later).returns.resolves.toHaveProperty('status');
});

test('result_available and status narrow the type of a finished job', () => {
  const reported = (job: FinishedJob<'recovery_v4', 'compact'>) => {
    if (job.result_available) return job.result.positions;
    return job.status === 'succeeded' ? job.summary : job.error.message;
  };
  expectTypeOf(reported).returns.toEqualTypeOf<
    Schemas['RecoveryCompactResult']['positions'] | Schemas['Job']['summary'] | string
  >();
});

test('error codes are those of the API document and those of the client', () => {
  expectTypeOf<SaringError['code']>().toEqualTypeOf<SaringErrorCode>();
  expectTypeOf<'rate_limited' | 'idempotency_conflict' | 'timeout'>().toExtend<SaringErrorCode>();
});

test('a missing path id, an unknown value and an unsupported method are type errors', () => {
  // @ts-expect-error: the path has an id
  const idless = () => client.rest.get('/api/v1/jobs/{job_id}');
  // @ts-expect-error: no such status
  const misspelt = () => client.usage.events({ status: 'started_' });
  // @ts-expect-error: a path that is only posted to
  const unposted = () => client.rest.get('/api/v1/data/compare');
  expectTypeOf([idless, misspelt, unposted]).toBeArray();
});
