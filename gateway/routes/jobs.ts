import type { Language } from '#foundation/text/languages.ts';
import { RunDiff } from '#models/explain/diff.ts';
import { Explanation } from '#models/explain/schema.ts';
import { defineRoute } from '../routing/define-route.ts';
import { FileResponse } from '../responses/rendered-response.ts';
import { JsonResponse, JsonText } from '../responses/send-json.ts';
import { acceptedJob, Job } from '../schemas/job.ts';
import { renderJob, renderJobWithResult, type JudgeFreshness } from './render-job.ts';
import { pathSchema, querySchema } from '../declarations/call-schemas.ts';
import { factsOf } from '../declarations/route-facts.ts';
import type { Job as RunJob } from '#proto/saring/models/v1/runs.ts';
import type { EventStream, StreamEvent } from '../responses/send-events.ts';
import { followRun, isFinal } from '../following/follow-run.ts';
import Type from 'typebox';

/** The bytes of a file. */
const File = (description: string) => Type.Unsafe<Buffer>({ type: 'string', format: 'binary', description });

const jobIdParams = pathSchema(['runs', 'getJob'], ['job_id']);

export const jobRoutes = [
  defineRoute({
    ...factsOf(['runs', 'getJob']),
    params: jobIdParams,
    responses: { 200: { description: 'Current state of the job.', schema: Job } },
    handler: async ({ params: { job_id } }, call, { services, dataset }) => {
      const { job } = await services.runs.getJob({ job_id, api_key_id: call.apiKeyId }, call);
      if (!job) throw new Error('the models service answered no job');
      return renderJobWithResult(job, call.language, dataset);
    },
  }),
  defineRoute({
    ...factsOf(['runs', 'cancelRun']),
    params: jobIdParams,
    responses: {
      200: { description: 'The job has ended, either now or before the request.', schema: Job },
      202: acceptedJob('The job is still running and will be stopped. Poll `poll_url`.'),
    },
    handler: async ({ params: { job_id } }, call, { services, dataset }) => {
      const { job } = await services.runs.cancelRun({ job_id, api_key_id: call.apiKeyId }, call);
      if (!job) throw new Error('the models service cancelled a run without saying which');
      return isFinal(job)
        ? renderJobWithResult(job, call.language, dataset)
        : new JsonResponse(202, renderJob(job, call.language, dataset));
    },
  }),
  defineRoute({
    ...factsOf(['runs', 'explainRun']),
    params: jobIdParams,
    query: querySchema(['runs', 'explainRun'], ['ticker']),
    responses: { 200: { description: 'How the run treated the stock.', schema: Explanation } },
    handler: async ({ params: { job_id }, query: { ticker } }, call, { services }) => {
      const { language } = call;
      const requested = { job_id, api_key_id: call.apiKeyId, ticker, language };
      const { explanation_json, dataset_version } = await services.runs.explainRun(requested, call);
      return new JsonText(explanation_json.toString('utf8'), dataset_version, language);
    },
  }),
  defineRoute({
    ...factsOf(['runs', 'diffRuns']),
    params: jobIdParams,
    query: querySchema(['runs', 'diffRuns'], ['with']),
    responses: { 200: { description: 'The differences.', schema: RunDiff } },
    handler: async ({ params: { job_id }, query }, call, { services }) => {
      const { language } = call;
      const requested = { job_id, with: query.with, api_key_id: call.apiKeyId, language };
      const { diff_json, dataset_version } = await services.runs.diffRuns(requested, call);
      return new JsonText(diff_json.toString('utf8'), dataset_version, language);
    },
  }),
  defineRoute({
    ...factsOf(['runs', 'getRunModel']),
    params: jobIdParams,
    responses: { 200: { description: 'The ONNX file.', schema: File('ONNX, binary.') } },
    handler: async ({ params: { job_id } }, call, { services }) => {
      const model = await services.runs.getRunModel({ job_id, api_key_id: call.apiKeyId }, call);
      return new FileResponse({
        bytes: model.onnx,
        fileName: `${job_id}.onnx`,
        datasetVersion: model.dataset_version,
      });
    },
  }),
  defineRoute({
    ...factsOf(['runs', 'watchRun']),
    params: jobIdParams,
    sample: {
      typescript:
        "for await (const { status } of saring.jobs.follow('job_5f0c6f1e9a3b4d2c8e7f6a5b')) console.log(status);",
      python: 'for state in saring.jobs.follow("job_5f0c6f1e9a3b4d2c8e7f6a5b"):\n    print(state["status"])',
    },
    responses: { 200: { description: 'The events. The schema is that of their `data`.', schema: Job } },
    handler: async ({ params: { job_id } }, call, backend) => {
      const { job } = await backend.services.runs.getJob({ job_id, api_key_id: call.apiKeyId }, call);
      if (!job) throw new Error('the models service answered no job');
      const isTold = job.status === call.lastEventId;
      if (isTold && isFinal(job)) return undefined;
      const toEvent = (seen: RunJob) => statusEvent(seen, call.language, backend.dataset);
      return statusEvents(isTold ? [] : [job], followRun(job, call, backend), toEvent);
    },
  }),
];

async function* statusEvents(
  present: RunJob[],
  later: AsyncIterable<RunJob>,
  toEvent: (job: RunJob) => StreamEvent,
): EventStream {
  for (const job of present) yield toEvent(job);
  for await (const job of later) yield toEvent(job);
}

/** A run enters each status at most once, so the status identifies its events. */
function statusEvent(job: RunJob, language: Language, dataset: JudgeFreshness): StreamEvent {
  return { id: job.status, name: 'status', data: renderJob(job, language, dataset) };
}
