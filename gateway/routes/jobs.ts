import type { Language } from '#shared/text/languages.ts';
import { RunDiff } from '#models/explain/diff.ts';
import { Explanation } from '#models/explain/schema.ts';
import { defineRoute } from '../routing/define-route.ts';
import { FileResponse } from '../responses/rendered-response.ts';
import { JsonResponse, JsonText } from '../responses/send-json.ts';
import { acceptedJob, Job } from '../schemas/job.ts';
import { renderJob, renderJobWithResult, type JudgeFreshness } from './render-job.ts';
import { pathSchema, querySchema, serviceRoute } from './service-route.ts';
import type { Job as RunJob } from '#proto/saring/models/v1/runs.ts';
import { EventStream, type StreamEvent } from '../responses/send-events.ts';
import { followRun, isFinal } from '../following/follow-run.ts';
import Type from 'typebox';

/** The bytes of a file. */
const File = (description: string) => Type.Unsafe<Buffer>({ type: 'string', format: 'binary', description });

const jobIdParams = pathSchema(['runs', 'getJob'], ['job_id']);

const aboutOneJob = {
  method: 'get',
  tag: 'Runs and jobs',
  access: 'models:run',
  params: jobIdParams,
  unknownIdCode: 'job_not_found',
} as const;

export const jobRoutes = [
  serviceRoute({
    method: 'get',
    path: '/api/v1/jobs',
    operationId: 'listJobs',
    rpc: ['runs', 'listJobs'],
    ofCaller: ['api_key_id'],
    tag: 'Runs and jobs',
    summary: 'List jobs',
    description:
      'Lists the recent jobs of the calling key, live and historical, newest first, without results.',
    access: 'models:run',
    answer: 'The jobs.',
    errors: ['model_unavailable'],
  }),
  defineRoute({
    ...aboutOneJob,
    path: '/api/v1/jobs/{job_id}',
    operationId: 'getJob',
    summary: 'Get a job',
    carriesResult: true,
    description:
      'Returns a job, with its result while the result is in memory. Poll every 2 to 5 seconds until ' +
      '`status` is succeeded, failed or interrupted. Faster polling gives no benefit and uses up the rate ' +
      'limit. After about five minutes a client may give up. Results are kept in memory for 3600 seconds ' +
      'and at most 500 of them, unless the operator chose otherwise. After that, the response is still 200, with `source` `ledger`, ' +
      '`result_available` false and the `summary` of the run. Branch on `result_available`.',
    responses: { 200: { description: 'Current state of the job.', schema: Job } },
    errors: ['job_not_found', 'model_unavailable'],
    handler: async ({ params: { job_id } }, call, { services, dataset }) => {
      const { job } = await services.runs.getJob({ job_id, api_key_id: call.apiKeyId }, call);
      if (!job) throw new Error('the models service answered no job');
      return renderJobWithResult(job, call.language, dataset);
    },
  }),
  defineRoute({
    ...aboutOneJob,
    method: 'post',
    path: '/api/v1/jobs/{job_id}/cancel',
    operationId: 'cancelJob',
    summary: 'Cancel a job',
    carriesResult: true,
    description:
      'Cancels a job. Takes no body. A queued run ends immediately. A running one ends at its next ' +
      'checkpoint, usually within a second, or with its result if it was about to finish: keep polling. A ' +
      'cancelled run ends as `failed`, and `error.message` says that it was cancelled. A job that has ' +
      'ended stays unchanged, so a cancellation can be repeated safely.',
    responses: {
      200: { description: 'The job has ended, either now or before the request.', schema: Job },
      202: acceptedJob('The job is still running and will be stopped. Poll `poll_url`.'),
    },
    errors: ['job_not_found', 'model_unavailable'],
    handler: async ({ params: { job_id } }, call, { services, dataset }) => {
      const { job } = await services.runs.cancelRun({ job_id, api_key_id: call.apiKeyId }, call);
      if (!job) throw new Error('the models service cancelled a run without saying which');
      return isFinal(job)
        ? renderJobWithResult(job, call.language, dataset)
        : new JsonResponse(202, renderJob(job, call.language, dataset));
    },
  }),
  defineRoute({
    ...aboutOneJob,
    path: '/api/v1/jobs/{job_id}/explain',
    operationId: 'explainJob',
    summary: 'Explain a stock of a run',
    explains: true,
    description:
      'Explains why any stock of the universe of a run is among its picks or not: the step of the funnel ' +
      'that the stock did not pass, how far it is from passing, the parameters that would let it pass, ' +
      'and the contribution of each feature to its chance. The explanation is kept as long as the result. ' +
      'confluence_filter learns nothing, so its stocks have no contributions. For recovery_v4, the ' +
      'positions of the run can be explained: judged positions with the contributions to each class, ' +
      'skipped positions with the step alone. The response is 404 `not_found` for a stock outside the ' +
      'universe, with the reason in the message, and for a job that has not succeeded or whose result is ' +
      'gone.',
    query: querySchema(['runs', 'explainRun'], ['ticker']),
    responses: { 200: { description: 'How the run treated the stock.', schema: Explanation } },
    errors: ['job_not_found', 'not_found', 'model_unavailable'],
    handler: async ({ params: { job_id }, query: { ticker } }, call, { services }) => {
      const { language } = call;
      const requested = { job_id, api_key_id: call.apiKeyId, ticker, language };
      const { explanation_json, dataset_version } = await services.runs.explainRun(requested, call);
      return new JsonText(explanation_json.toString('utf8'), dataset_version, language);
    },
  }),
  defineRoute({
    ...aboutOneJob,
    path: '/api/v1/jobs/{job_id}/diff',
    operationId: 'diffJobs',
    summary: 'Compare two runs',
    explains: true,
    description:
      'Compares the picks of this run with those of an earlier run, `with`: which stocks entered and left ' +
      'and why, their ranks and chances in both runs, and which parameters and dataset versions differ. ' +
      'Usually both runs are of the same model. The results of both runs must still be kept: otherwise ' +
      'the response is 404 `not_found`.',
    query: querySchema(['runs', 'diffRuns'], ['with']),
    responses: { 200: { description: 'The differences.', schema: RunDiff } },
    errors: ['job_not_found', 'not_found', 'model_unavailable'],
    handler: async ({ params: { job_id }, query }, call, { services }) => {
      const { language } = call;
      const requested = { job_id, with: query.with, api_key_id: call.apiKeyId, language };
      const { diff_json, dataset_version } = await services.runs.diffRuns(requested, call);
      return new JsonText(diff_json.toString('utf8'), dataset_version, language);
    },
  }),
  defineRoute({
    ...aboutOneJob,
    path: '/api/v1/jobs/{job_id}/model',
    operationId: 'getJobModel',
    summary: 'Download the model of a run',
    description:
      'Returns an ONNX file that gives the same probabilities as the run: to the bit if it is loaded with one thread ' +
      '(`intra_op_num_threads` 1 in ONNX Runtime), as the run loads it. More threads add up trees in another order where ' +
      'there are many rows, or trees, and probabilities differ by some 1e-7. Its metadata contains the ' +
      'feature names, training window, dataset version, seed and fingerprint, which are also in ' +
      '`diag.model` of the full result. The file is kept as long as the result. The response is 404 ' +
      '`not_found` for a job that has not succeeded, whose result is gone, or that learnt nothing, as ' +
      'confluence_filter never does. The ETag is the SHA-256 of the file.',
    answers: 'a file',
    responses: { 200: { description: 'The ONNX file.', schema: File('ONNX, binary.') } },
    errors: ['job_not_found', 'not_found', 'model_unavailable'],
    handler: async ({ params: { job_id } }, call, { services }) => {
      const model = await services.runs.getRunModel({ job_id, api_key_id: call.apiKeyId }, call);
      return new FileResponse({
        bytes: model.onnx,
        fileName: `${job_id}.onnx`,
        datasetVersion: model.dataset_version,
      });
    },
  }),
];

export const jobEventRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/v1/jobs/{job_id}/events',
    operationId: 'streamJobEvents',
    tag: 'Runs and jobs',
    summary: 'Stream the state changes of a job',
    description:
      'Streams server-sent events as an alternative to polling: one event `status` with the current state ' +
      'of the job, then one for each following state. `data` is the job as returned by GET ' +
      '/api/v1/jobs/{job_id}, without its result. `id` is its status. The stream ends with the final ' +
      'state: then fetch the result. A state that a run passes through in a moment can be left out. A ' +
      'comment is sent every 15 seconds. Streams can end early: reconnect with `Last-Event-ID`, as ' +
      '`EventSource` does automatically. A state is never sent twice. After the final state the response ' +
      'is 204, on which `EventSource` stops. A stream counts as one request. A key can hold 100 open ' +
      'streams at each gateway. The streams of a key that is disabled or deleted end within a second.',
    access: 'models:run',
    params: jobIdParams,
    unknownIdCode: 'job_not_found',
    answers: 'an event stream',
    sample: {
      typescript:
        "for await (const { status } of saring.jobs.follow('job_5f0c6f1e9a3b4d2c8e7f6a5b')) console.log(status);",
      python: 'for state in saring.jobs.follow("job_5f0c6f1e9a3b4d2c8e7f6a5b"):\n    print(state["status"])',
    },
    responses: { 200: { description: 'The events. The schema is that of their `data`.', schema: Job } },
    errors: ['job_not_found', 'model_unavailable'],
    handler: async ({ params: { job_id } }, call, backend) => {
      const { job } = await backend.services.runs.getJob({ job_id, api_key_id: call.apiKeyId }, call);
      if (!job) throw new Error('the models service answered no job');
      const isTold = job.status === call.lastEventId;
      if (isTold && isFinal(job)) return undefined;
      const toEvent = (seen: RunJob) => statusEvent(seen, call.language, backend.dataset);
      return new EventStream(statusEvents(isTold ? [] : [job], followRun(job, call, backend), toEvent));
    },
  }),
];

async function* statusEvents(
  present: RunJob[],
  later: AsyncIterable<RunJob>,
  toEvent: (job: RunJob) => StreamEvent,
): AsyncGenerator<StreamEvent> {
  for (const job of present) yield toEvent(job);
  for await (const job of later) yield toEvent(job);
}

/** A run enters each status at most once, so the status identifies its events. */
function statusEvent(job: RunJob, language: Language, dataset: JudgeFreshness): StreamEvent {
  return { id: job.status, name: 'status', data: renderJob(job, language, dataset) };
}
