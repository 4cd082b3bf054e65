import type { Language } from '#shared/text/languages.ts';
import { RunDiff } from '#screens/explain/diff.ts';
import { Explanation } from '#screens/explain/schema.ts';
import { defineRoute } from '../routing/define-route.ts';
import { FileAnswer } from '../answers/rendered-answer.ts';
import { Answer, JsonText } from '../answers/send-json.ts';
import { Job } from '../schemas/job.ts';
import { renderJob, renderJobWithResult } from './render-job.ts';
import { pathSchema, querySchema, serviceRoute } from './service-route.ts';
import type { Job as RunJob } from '#proto/saring/models/v1/runs.ts';
import { EventStream, type StreamEvent } from '../answers/send-events.ts';
import { followRun, isFinal } from './follow-run.ts';
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
    summary: 'Recent jobs of this key',
    description: 'Newest first, live and historical, without results.',
    access: 'models:run',
    answer: 'The jobs.',
    errors: ['model_unavailable'],
  }),
  defineRoute({
    ...aboutOneJob,
    path: '/api/v1/jobs/{job_id}',
    operationId: 'getJob',
    summary: 'One job, with its result while that is in memory',
    carriesResult: true,
    description:
      'Poll every 2 to 5 seconds until `status` is succeeded, failed or interrupted; faster gives no benefit and ' +
      'costs rate-limit budget, and after about five minutes a client may give up. Results are kept in memory ' +
      'for 3600 seconds, at most 500 of them: after that the job is still answered with 200, with `source` ' +
      '`ledger`, `result_available` false and its `summary`. Branch on `result_available`.',
    responses: { 200: { description: 'The job as it stands.', schema: Job } },
    errors: ['job_not_found', 'model_unavailable'],
    handler: async ({ params: { job_id } }, call, { services }) => {
      const { job } = await services.runs.getJob({ job_id, api_key_id: call.apiKeyId }, call);
      if (!job) throw new Error('the models service answered no job');
      return renderJobWithResult(job, call.language);
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
      'Takes no body. A queued run ends at once. A running one ends at its next checkpoint, mostly within a second, or ' +
      'with its result if it was about to finish: poll as before. A cancelled run ends `failed`, and `error.message` says ' +
      'that it was cancelled. A job that has ended stays as it is, so that a cancellation may be repeated.',
    responses: {
      200: { description: 'The job has ended, now or before.', schema: Job },
      202: { description: 'The job still runs and will be stopped. Poll `poll_url`.', schema: Job },
    },
    errors: ['job_not_found', 'model_unavailable'],
    handler: async ({ params: { job_id } }, call, { services }) => {
      const { job } = await services.runs.cancelRun({ job_id, api_key_id: call.apiKeyId }, call);
      if (!job) throw new Error('the models service cancelled a run without saying which');
      return isFinal(job)
        ? renderJobWithResult(job, call.language)
        : new Answer(202, renderJob(job, call.language));
    },
  }),
  defineRoute({
    ...aboutOneJob,
    path: '/api/v1/jobs/{job_id}/explain',
    operationId: 'explainJob',
    summary: 'What a run made of one name',
    explains: true,
    description:
      'Why a name is among the picks of a run or not, for any name of its universe: the step of the funnel at which it fell, ' +
      'how far it is from passing, the parameters that would let it pass, and what each feature adds to its chance. It is ' +
      'kept as long as the result. confluence_filter learns nothing, and its names have no contributions. Of recovery_v4 ' +
      'the positions of the run can be explained: those judged with the contributions to each class, those skipped with ' +
      'the step alone. 404 `not_found` for a name outside the universe, with the reason in the message, and for a job ' +
      'that has not succeeded or whose result is gone.',
    query: querySchema(['runs', 'explainRun'], ['ticker']),
    responses: { 200: { description: 'What the run made of it.', schema: Explanation } },
    errors: ['job_not_found', 'not_found', 'model_unavailable'],
    handler: async ({ params: { job_id }, query: { ticker } }, call, { services }) => {
      const { language } = call;
      const asked = { job_id, api_key_id: call.apiKeyId, ticker, language };
      const { explanation_json, dataset_version } = await services.runs.explainRun(asked, call);
      return new JsonText(explanation_json.toString('utf8'), dataset_version, language);
    },
  }),
  defineRoute({
    ...aboutOneJob,
    path: '/api/v1/jobs/{job_id}/diff',
    operationId: 'diffJobs',
    summary: 'Two runs side by side',
    explains: true,
    description:
      'What became of the picks of an earlier run, `with`, in this one: which names entered and left and why each, with ' +
      'their places and chances in both, and which parameters and dataset versions differ. Mostly both are ' +
      'of one model. The results of both must still be kept: 404 `not_found` otherwise.',
    query: querySchema(['runs', 'diffRuns'], ['with']),
    responses: { 200: { description: 'The difference.', schema: RunDiff } },
    errors: ['job_not_found', 'not_found', 'model_unavailable'],
    handler: async ({ params: { job_id }, query }, call, { services }) => {
      const { language } = call;
      const asked = { job_id, with: query.with, api_key_id: call.apiKeyId, language };
      const { diff_json, dataset_version } = await services.runs.diffRuns(asked, call);
      return new JsonText(diff_json.toString('utf8'), dataset_version, language);
    },
  }),
  defineRoute({
    ...aboutOneJob,
    path: '/api/v1/jobs/{job_id}/model',
    operationId: 'getJobModel',
    summary: 'The model that a run has learnt',
    description:
      'An ONNX file that gives the same probabilities as the run, with its feature names, training window, dataset ' +
      'version, seed and fingerprint in its metadata; `diag.model` of the full result names the same. It is kept as ' +
      'long as the result. 404 `not_found` for a job that has not succeeded, whose result is gone, or that learnt ' +
      'nothing, as confluence_filter never does. The tag is the SHA-256 of the file.',
    answers: 'a file',
    responses: { 200: { description: 'The ONNX file.', schema: File('ONNX, binary.') } },
    errors: ['job_not_found', 'not_found', 'model_unavailable'],
    handler: async ({ params: { job_id } }, call, { services }) => {
      const model = await services.runs.getRunModel({ job_id, api_key_id: call.apiKeyId }, call);
      return new FileAnswer({
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
    summary: 'State changes of a job as they happen',
    description:
      'Server-sent events, instead of polling: an event `status` with the job as it stands, and one for each state that ' +
      'follows. `data` is the job as GET /api/v1/jobs/{job_id} answers it, without its result; `id` is its status. The ' +
      'stream ends with the final state: fetch the result then. A state that a run passes through in a moment may be left ' +
      'out. A comment comes every 15 seconds. Streams may end early, so come again with `Last-Event-ID`, as ' +
      '`EventSource` does by itself: a state is never sent twice, and after the final one the answer is 204, ' +
      'upon which `EventSource` stops. A stream counts as one request; a key may hold 100 of them open at each ' +
      'gateway. The streams of a key that is disabled or deleted end within a second.',
    access: 'models:run',
    params: jobIdParams,
    unknownIdCode: 'job_not_found',
    answers: 'an event stream',
    responses: { 200: { description: 'The events; the schema is that of their `data`.', schema: Job } },
    errors: ['job_not_found', 'model_unavailable'],
    handler: async ({ params: { job_id } }, call, backend) => {
      const { job } = await backend.services.runs.getJob({ job_id, api_key_id: call.apiKeyId }, call);
      if (!job) throw new Error('the models service answered no job');
      const isTold = job.status === call.lastEventId;
      if (isTold && isFinal(job)) return undefined;
      return new EventStream(statusEvents(isTold ? [] : [job], followRun(job, call, backend), call.language));
    },
  }),
];

async function* statusEvents(
  present: RunJob[],
  later: AsyncIterable<RunJob>,
  language: Language,
): AsyncGenerator<StreamEvent> {
  for (const job of present) yield statusEvent(job, language);
  for await (const job of later) yield statusEvent(job, language);
}

/** A run enters each status at most once, so the status identifies its events. */
function statusEvent(job: RunJob, language: Language): StreamEvent {
  return { id: job.status, name: 'status', data: renderJob(job, language) };
}
