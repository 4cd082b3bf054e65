import { pino } from 'pino';
import { expect, test } from 'vitest';
import { RunArtefact, RunFinished, RunResult } from '#proto/saring/events/v1/runs.ts';
import { RunReports } from '#services/model-worker/run-reports.ts';
import type { Outcome, SucceededRun } from '#services/model-worker/threads/thread-messages.ts';
import { randomId } from '#foundation/ids.ts';
import { subjects } from '#platform/nats/subjects.ts';
import { ownNats } from '#support/servers/own-nats.ts';

const OUTCOME: SucceededRun = {
  status: 'succeeded',
  resultJson: Buffer.from('{"pick_count":1}'),
  english: [],
  stages: [],
  summary: { pick_count: 1, tickers: ['BBCA'], target_date: '2024-06-28' },
  datasetVersion: 'real-20240628-1',
  datasetKind: 'real',
  model: { onnx: Uint8Array.of(8, 8, 255), fingerprint: 'f00d' },
  explanation: Uint8Array.of(40, 181),
};

const own = ownNats();
const logged: string[] = [];

/** Reports a run with this outcome and returns its job id. */
async function report(outcome: Outcome): Promise<string> {
  const jobId = randomId('job');
  const log = pino({}, { write: (line) => logged.push((JSON.parse(line) as { msg: string }).msg) });
  const clock = () => new Date('2024-06-28T10:00:00Z');
  const reports = new RunReports({ nats: own.nats, workerId: 'worker_test', clock, log });
  await reports.report({ jobId, startedAt: clock(), outcome }, new AbortController().signal);
  return jobId;
}

const last = (stream: string, subject: string) =>
  own.nats.jsm.streams.getMessage(stream, { last_by_subj: subject });

test('the trained model is published before the result, and the result before the end', async () => {
  const jobId = await report(OUTCOME);
  const [artefact, result, end] = [
    (await last('ARTEFACTS', subjects.artefact(jobId)))!,
    (await last('RESULTS', subjects.result(jobId)))!,
    (await last('RUN_EVENTS', subjects.runFinished(jobId)))!,
  ];
  expect(RunArtefact.decode(artefact.data)).toEqual({
    job_id: jobId,
    onnx: Buffer.from([8, 8, 255]),
    fingerprint: 'f00d',
    dataset_version: 'real-20240628-1',
    explanation: Buffer.from([40, 181]),
  });
  expect(RunResult.decode(result.data).result_json?.toString()).toBe('{"pick_count":1}');
  expect(RunFinished.decode(end.data)).toMatchObject({ status: 'succeeded', summary: { pick_count: 1 } });
  expect(artefact.timestamp <= result.timestamp && result.timestamp <= end.timestamp).toBe(true);
});

const endOf = async (outcome: Outcome) =>
  RunFinished.decode((await last('RUN_EVENTS', subjects.runFinished(await report(outcome))))!.data);

test('the end names the dataset and, if the run did not succeed, its error', async () => {
  const dataset = { dataset_version: 'real-20240628-1', dataset_kind: 'real' };
  const none = { dataset_version: undefined, dataset_kind: undefined, error_code: undefined };
  expect(await endOf(OUTCOME)).toMatchObject({ ...dataset, error_code: undefined });
  const { datasetVersion, datasetKind } = OUTCOME;
  const message = { id: 'Terlalu awal.', en: 'Too early.' };
  const failed = { status: 'failed', code: 'insufficient_data', message } as const;
  const error = { error_code: failed.code, error_message: message.id, error_english: message.en };
  expect(await endOf({ ...failed, datasetVersion, datasetKind })).toMatchObject({ ...dataset, ...error });
  expect(await endOf(failed)).toMatchObject({ ...none, ...error });
  expect(await endOf({ status: 'interrupted' })).toMatchObject(none);
});

test('the end says what the run said of every stock, if it was asked to', async () => {
  const scores = [
    { ticker: 'BBCA', probability: 71.5, rank: 1, picked: true },
    { ticker: 'BBRI', probability: undefined, rank: undefined, picked: false },
  ];
  expect((await endOf({ ...OUTCOME, scores })).scores).toEqual(scores);
  expect((await endOf(OUTCOME)).scores).toEqual([]);
});

test('a model too large for one message is dropped and logged, and the run still succeeds', async () => {
  const onnx = new Uint8Array(own.nats.connection.info!.max_payload);
  const jobId = await report({ ...OUTCOME, model: { onnx, fingerprint: 'f00d' } });
  expect(await last('ARTEFACTS', subjects.artefact(jobId))).toBeNull();
  expect(await last('RESULTS', subjects.result(jobId))).not.toBeNull();
  expect(logged).toEqual(['artefact too large for NATS, not kept']);
});

test('a run without training publishes only its explanation', async () => {
  const { model: _, ...outcome } = OUTCOME;
  const jobId = await report(outcome);
  const artefact = (await last('ARTEFACTS', subjects.artefact(jobId)))!;
  expect(RunArtefact.decode(artefact.data)).toMatchObject({
    onnx: Buffer.of(),
    explanation: Buffer.from([40, 181]),
  });
});

test('a run with neither model nor explanation publishes no artefact', async () => {
  const { model: _, explanation: __, ...outcome } = OUTCOME;
  const jobId = await report(outcome);
  expect(await last('ARTEFACTS', subjects.artefact(jobId))).toBeNull();
  expect(await last('RESULTS', subjects.result(jobId))).not.toBeNull();
});
