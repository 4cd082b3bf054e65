import type { Job as RunJob } from '#proto/saring/models/v1/runs.ts';
import { defineRoute } from '../routing/define-route.ts';
import { EventStream, type StreamEvent } from '../answers/send-events.ts';
import { Job } from '../schemas/job.ts';
import { followRun } from './follow-run.ts';
import { jobIdParams } from './jobs.ts';
import { renderJob } from './render-job.ts';
import { isFinal } from './wait-for-run.ts';

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
      return new EventStream(statusEvents(isTold ? [] : [job], followRun(job, call, backend)));
    },
  }),
];

async function* statusEvents(present: RunJob[], later: AsyncIterable<RunJob>): AsyncGenerator<StreamEvent> {
  for (const job of present) yield statusEvent(job);
  for await (const job of later) yield statusEvent(job);
}

/** A run is never in one state twice, so the status identifies its events. */
function statusEvent(job: RunJob): StreamEvent {
  return { id: job.status, name: 'status', data: renderJob(job) };
}
