import { walkForwardEvidence } from '#models/results/evidence.ts';
import { expect, test } from 'vitest';
import type { Job } from '#proto/saring/models/v1/runs.ts';
import { renderJob, renderJobWithResult } from './render-job.ts';

const created = new Date('2024-06-28T02:30:00Z');
const queued: Job = {
  job_id: 'job_1',
  kind: 'model_run',
  target: 'confluence_filter',
  status: 'queued',
  params: { lookback: 5 },
  created_at: created,
  started_at: undefined,
  finished_at: undefined,
  duration_seconds: 0,
  poll_url: '/api/v1/jobs/job_1',
  source: 'live',
  result_available: false,
  result_json: undefined,
  summary: undefined,
  end_user: 'user-42',
  error_message: undefined,
  view: 'full',
  dataset_version: undefined,
  result_english: [],
};
const summary = { pick_count: 0, tickers: [], target_date: '2024-06-28' };
const succeeded: Job = {
  ...queued,
  status: 'succeeded',
  started_at: created,
  finished_at: created,
  result_available: true,
  summary,
  result_json: Buffer.from('{"df_result":[],"note":"é","notice":"Bukan"}'),
  result_english: [{ from: 37, to: 44, json: '"None"' }],
  dataset_version: 'synthetic-20240628-1',
  evidence: walkForwardEvidence('confluence_filter'),
};
const UNKNOWN = { freshnessOf: () => undefined };
const BEHIND = {
  data_as_of: '2024-06-28',
  expected_as_of: '2024-07-01',
  behind_trading_days: 1,
  missing_days: ['2024-06-14'],
  missing_day_count: 1,
  unlisted_year: 2025,
  partial_day: '2024-06-27',
  is_late: false,
  behind_since: new Date('2024-07-01T11:35:00Z'),
  cause: 'no_feed',
  reason: 'Tidak berjalan.',
  reason_english: 'It does not run.',
  advice: 'Start it.',
};
const sent = (value: unknown) => JSON.parse(JSON.stringify(value)) as object;

test('an unfinished job has null start and end times, a Jakarta timestamp, and no result, summary or error', () => {
  expect(sent(renderJob(queued, 'id', UNKNOWN))).toEqual({
    job_id: 'job_1',
    kind: 'model_run',
    target: 'confluence_filter',
    status: 'queued',
    view: 'full',
    params: { lookback: 5 },
    created_at: '2024-06-28T09:30:00.000+07:00',
    started_at: null,
    finished_at: null,
    duration_seconds: 0,
    poll_url: '/api/v1/jobs/job_1',
    source: 'live',
    result_available: false,
    end_user: 'user-42',
    freshness: null,
  });
});

test.each([
  ['id', 'Bukan'],
  ['en', 'None'],
] as const)(
  'a live job that succeeded carries the result of the worker, and how fresh its market is, in language %s',
  (language, notice) => {
    const dataset = {
      freshnessOf: (version: string | undefined) =>
        version === succeeded.dataset_version ? BEHIND : undefined,
    };
    const rendered = renderJobWithResult(succeeded, language, dataset);
    expect(JSON.parse(rendered.text)).toEqual({
      ...sent(renderJob(succeeded, language, dataset)),
      evidence: { net_return_pct: null, net_return_verdict: null, ...succeeded.evidence },
      result: { df_result: [], note: 'é', notice },
    });
    const { reason_english, advice, ...shown } = BEHIND;
    expect(JSON.parse(rendered.text)).toHaveProperty('freshness', {
      ...shown,
      behind_since: '2024-07-01T18:35:00.000+07:00',
      reason: language === 'en' ? reason_english : shown.reason,
    });
    expect(rendered.text).not.toContain(advice);
    expect(rendered).toMatchObject({ language, datasetVersion: 'synthetic-20240628-1' });
  },
);

test.each([
  ['in the ledger tier', { source: 'ledger', result_available: false }],
  ['that failed', { status: 'failed' }],
])('a job %s is rendered with its summary but never with a result', (_name, change) => {
  const { text, datasetVersion } = renderJobWithResult({ ...succeeded, ...change }, 'id', UNKNOWN);
  const body = JSON.parse(text) as object;
  expect(datasetVersion).toBeUndefined();
  expect(body).not.toHaveProperty('result');
  expect(body).toHaveProperty('summary', summary);
});

test.each(['failed', 'interrupted'])('a job that is %s always has an error message', (status) => {
  const error_message = 'Data belum lengkap.';
  expect(renderJob({ ...queued, status, error_message }, 'id', UNKNOWN)).toMatchObject({
    error: { message: error_message },
  });
  expect(renderJob({ ...queued, status }, 'id', UNKNOWN)).toMatchObject({
    error: { message: expect.stringMatching(/./) as string },
  });
});

test('an error message is in English on request, if the job has one in English', () => {
  const failed = { ...queued, status: 'failed', error_message: 'Data belum lengkap.' };
  const inEnglish = (job: Job) => renderJob(job, 'en', UNKNOWN);
  expect(inEnglish({ ...failed, error_english: 'The data is not complete.' })).toMatchObject({
    error: { message: 'The data is not complete.' },
  });
  expect(inEnglish(failed)).toMatchObject({ error: { message: 'Data belum lengkap.' } });
  expect(inEnglish(queued)).not.toHaveProperty('error');
});

test('a job without created_at throws an error instead of showing 1970', () => {
  expect(() => renderJob({ ...queued, created_at: undefined }, 'id', UNKNOWN)).toThrow(
    'did not say when: created_at',
  );
});
