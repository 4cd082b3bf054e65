import { createHash } from 'node:crypto';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { beforeAll, expect, inject, test } from 'vitest';
import { newTenant, ownTenant } from '#support/contract.ts';
import { submitRun, submitRunOf, type JobBody } from '#support/jobs.ts';
import { errorCode } from '#support/rest.ts';

const tenant = ownTenant();

interface Described {
  fingerprint: string;
  onnx_sha256: string;
  onnx_bytes: number;
  dataset_version: string;
  feature_names: string[];
}

let job: JobBody;
let model: Described;
beforeAll(async () => {
  job = await submitRunOf(tenant.rest, 'model_f_combined', {}, '?wait=60');
  expect(job, JSON.stringify(job.error)).toMatchObject({ status: 'succeeded' });
  model = (job.result as { diag: { model: Described } }).diag.model;
});

const fetchModel = (jobId: string, headers: Record<string, string> = {}) =>
  fetch(`${inject('baseUrl')}/api/v1/jobs/${jobId}/model`, {
    headers: { authorization: `Bearer ${tenant.key}`, ...headers },
  });

test('the model of a run is fetched as the file whose hash its result names', async () => {
  const answer = await fetchModel(job.job_id);
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect([answer.status, bytes.length]).toEqual([200, model.onnx_bytes]);
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(model.onnx_sha256);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename="${job.job_id}.onnx"`,
    'x-dataset-version': model.dataset_version,
    etag: `W/"${model.onnx_sha256}"`,
  });
});

test('it is a graph that takes the features the result names and gives a probability of each row', async () => {
  const bytes = Buffer.from(await (await fetchModel(job.job_id)).arrayBuffer());
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

test('whoever has it is told so', async () => {
  const answer = await fetchModel(job.job_id, { 'if-none-match': `"${model.onnx_sha256}"` });
  expect([answer.status, await answer.text()]).toEqual([304, '']);
});

test('it is there for the key of its job alone', async () => {
  const path = `/api/v1/jobs/${job.job_id}/model`;
  const theirs = await (await newTenant()).rest.get(path);
  expect([theirs.status, errorCode(theirs)]).toEqual([404, 'job_not_found']);
  const unscoped = await (await newTenant('models:read')).rest.get(path);
  expect([unscoped.status, errorCode(unscoped)]).toEqual([403, 'insufficient_scope']);
});

test('a run that learns nothing, or has failed, has none, and the message says why', async () => {
  const confluence = await submitRun(tenant.rest, {}, '?wait=30');
  const failed = await submitRunOf(tenant.rest, 'recovery_v4', {}, '?wait=30');
  for (const [jobId, message] of [
    [confluence.job_id, /learns nothing has none/],
    [failed.job_id, /is failed/],
  ] as const) {
    const answer = await tenant.rest.get<{ error: { message: string } }>(`/api/v1/jobs/${jobId}/model`);
    expect([answer.status, errorCode(answer)]).toEqual([404, 'not_found']);
    expect(answer.body.error.message).toMatch(message);
  }
});
