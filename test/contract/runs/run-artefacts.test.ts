import { createHash } from 'node:crypto';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { beforeAll, expect, inject, test } from 'vitest';
import { resultOf, type FinishedJob, type Schemas } from '#client/index.ts';
import { ownTenant } from '#support/fleets/contract.ts';

const tenant = ownTenant();

let job: FinishedJob<'model_f_combined', 'full'>;
let model: Schemas['LearntModel'];
beforeAll(async () => {
  job = await tenant.client.runAndWait('model_f_combined');
  expect(job, JSON.stringify(job.error)).toMatchObject({ status: 'succeeded' });
  model = resultOf(job).diag.model;
});

const fetchModel = (jobId: string, headers: Record<string, string> = {}) =>
  fetch(`${inject('baseUrl')}/api/v1/jobs/${jobId}/model`, {
    headers: { authorization: `Bearer ${tenant.key}`, ...headers },
  });

test('the trained model is served as the file whose hash is in the result', async () => {
  const response = await fetchModel(job.job_id);
  const bytes = Buffer.from(await response.arrayBuffer());
  expect([response.status, bytes.length]).toEqual([200, model.onnx_bytes]);
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(model.onnx_sha256);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename="${job.job_id}.onnx"`,
    'x-dataset-version': model.dataset_version,
    'cache-control': 'private, no-cache',
    etag: `W/"${model.onnx_sha256}"`,
  });
  expect(response.headers.has('content-encoding')).toBe(false);
});

test('the file is an ONNX graph that maps the named features to one probability per row', async () => {
  const bytes = Buffer.from(await tenant.client.jobs.model(job.job_id));
  const session = await InferenceSession.create(bytes);
  const rows = 3;
  const features = new Float32Array(rows * model.feature_names.length);
  const input = new Tensor('float32', features, [rows, model.feature_names.length]);
  const outputs = await session.run({ [session.inputNames[0]!]: input });
  const chances = outputs[session.outputNames[0]!]!.data as Float32Array;
  for (const chance of chances) expect(chance > 0 && chance < 1).toBe(true);
  await session.release();
  expect(bytes.includes(model.fingerprint)).toBe(true);
});

test('an untrained or failed run has no model file, and the message says why', async () => {
  const confluence = await tenant.client.runAndWait('confluence_filter');
  const failed = await tenant.client.runAndWait('recovery_v4');
  for (const [jobId, message] of [
    [confluence.job_id, /learns nothing has none/],
    [failed.job_id, /is failed/],
  ] as const) {
    await expect(tenant.client.jobs.model(jobId)).rejects.toMatchObject({
      status: 404,
      code: 'not_found',
      message: expect.stringMatching(message) as string,
    });
  }
});

test('a client that already has the file gets 304', async () => {
  const response = await fetchModel(job.job_id, { 'if-none-match': `"${model.onnx_sha256}"` });
  expect([response.status, await response.text()]).toEqual([304, '']);
});
