import { expect, test } from 'vitest';
import type { Job } from '#proto/saring/models/v1/runs.ts';
import { exampleNamed } from '#support/message-examples.ts';
import { renderJob } from './render-job.ts';

const failed: Job = { ...exampleNamed<Job>('models.v1.Job'), status: 'failed' };
const rendered = (job: Job, language: 'id' | 'en' = 'id') =>
  renderJob(job, language, { freshnessOf: () => undefined });

test.each(['failed', 'interrupted'])('a job that is %s always has an error message', (status) => {
  const error_message = 'Data belum lengkap.';
  expect(rendered({ ...failed, status, error_message })).toMatchObject({ error: { message: error_message } });
  expect(rendered({ ...failed, status, error_message: undefined })).toMatchObject({
    error: { message: expect.stringMatching(/./) as string },
  });
});

test('an error message is in Bahasa Indonesia for everybody, if the job has none in English', () => {
  const old = { ...failed, error_message: 'Data belum lengkap.', error_english: undefined };
  expect(rendered(old, 'en')).toMatchObject({ error: { message: 'Data belum lengkap.' } });
});
