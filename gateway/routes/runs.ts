import Type from 'typebox';
import { defineRoute } from '../routing/define-route.ts';
import { Answer } from '../answers/send-json.ts';
import { bounded, closed, oneOf } from '../schemas/common.ts';
import { Job } from '../schemas/job.ts';
import { named } from '../schemas/named.ts';
import { modelIdParams } from './models.ts';
import { renderJob, renderJobWithResult } from './render-job.ts';
import { RUN_DESCRIPTION, WITH_COMPACT_VIEW } from './run-description.ts';
import { isFinal, waitForRun } from './wait-for-run.ts';

const RunRequest = named(
  'RunRequest',
  closed({
    params: Type.Optional(
      Type.Unsafe<Record<string, unknown> | null>({
        type: ['object', 'null'],
        description:
          'Parameters by name, as listed at /api/v1/models/{model_id}/params. Omitted ones take their defaults; ' +
          'unknown names are refused.',
        examples: [{ min_probability: 60, max_picks: 5 }],
      }),
    ),
  }),
);

export const runRoutes = [
  defineRoute({
    method: 'post',
    path: '/api/v1/models/{model_id}/runs',
    operationId: 'submitRun',
    tag: 'Runs and jobs',
    summary: 'Run a model',
    description: RUN_DESCRIPTION,
    carriesResult: true,
    access: 'models:run',
    needsEndUser: true,
    takesIdempotencyKey: true,
    params: modelIdParams,
    unknownIdCode: 'model_not_found',
    query: closed({
      view: oneOf(['full', 'compact'], {
        default: 'full',
        description: `\`compact\` exists for ${WITH_COMPACT_VIEW} only.`,
      }),
      wait: bounded(0, 60, 0, 'Seconds to hold the connection for the result.'),
    }),
    body: RunRequest,
    responses: {
      200: { description: 'The run ended within `wait`; `result` is inline when it succeeded.', schema: Job },
      202: {
        description:
          'Accepted: queued or running, without a result. Poll `poll_url`. A run that a repetition finds ended is answered ' +
          'so too, unless it waits.',
        schema: Job,
      },
    },
    errors: ['model_not_found', 'model_unavailable'],
    handler: async ({ params: { model_id }, query: { view, wait }, body }, call, backend) => {
      const waitUntilMs = Date.now() + wait * 1_000;
      const { job, replayed: isReplay } = await backend.services.runs.submitRun(
        {
          model_id,
          view,
          params: body.params ?? undefined,
          api_key_id: call.apiKeyId,
          end_user: call.endUser,
          channel: 'api',
          idempotency_key: call.idempotencyKey,
        },
        call,
      );
      if (!job) throw new Error('the models service accepted a run without saying which');
      const waitMs = waitUntilMs - Date.now();
      const seen = waitMs > 0 ? await waitForRun(job, waitMs, call, backend) : job;
      return wait > 0 && isFinal(seen)
        ? new Answer(200, renderJobWithResult(seen), { isReplay })
        : new Answer(202, renderJob(seen), { isReplay });
    },
  }),
];
