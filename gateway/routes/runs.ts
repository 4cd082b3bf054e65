import Type from 'typebox';
import type { View } from '#proto/saring/wire/v1/words.ts';
import { MODELS } from '#models/registry.ts';
import { fieldSchema } from '#platform/wire/message-schema.ts';
import { defineRoute } from '../routing/define-route.ts';
import { JsonResponse } from '../responses/send-json.ts';
import { bounded, closed } from '../schemas/common.ts';
import { acceptedJob, Job } from '../schemas/job.ts';
import { modelIdParams } from './models.ts';
import { renderJobWithResult } from './render-job.ts';
import { bodySchema, methodOf } from '../declarations/call-schemas.ts';
import { factsOf } from '../declarations/route-facts.ts';
import { isFinal, waitForRun } from '../following/follow-run.ts';
import { accepted, submitRun } from './submit-run.ts';

/** The ids of the models with a compact view, for use in a sentence. */
const WITH_COMPACT_VIEW = MODELS.filter(({ views }) => views.includes('compact'))
  .map(({ id }) => id)
  .toSorted()
  .join(' and ');

const ACCESS = 'models:run';
const { input } = methodOf(['runs', 'submitRun']);
const view = fieldSchema(input.typeName, 'view');

export const runRoutes = [
  defineRoute({
    ...factsOf(['runs', 'submitRun']),
    params: modelIdParams,
    query: closed({
      view: Type.Unsafe<View>({ ...view, description: `\`compact\` exists for ${WITH_COMPACT_VIEW} only.` }),
      wait: bounded(0, 60, 0, 'Time to hold the connection for the result, in seconds.'),
    }),
    body: bodySchema(['runs', 'submitRun'], ['params']),
    sample: { query: { wait: 30 } },
    responses: {
      200: {
        description: 'The run ended within `wait`. `result` is inline if the run succeeded.',
        schema: Job,
      },
      202: acceptedJob(
        'The run was accepted and is queued or running, without a result. Poll `poll_url`. A repeated ' +
          'request whose run has already ended also returns 202, unless it waits.',
      ),
    },
    handler: async ({ params: { model_id }, query: { view, wait: waitSeconds }, body }, call, backend) => {
      const waitUntilMs = Date.now() + waitSeconds * 1_000;
      const requested = { model_id, view, params: body.params ?? undefined };
      const { job, isReplay } = await submitRun(requested, call, backend);
      const waitMs = waitUntilMs - Date.now();
      const wait = () => waitForRun(job, waitMs, call, backend);
      const seen = waitMs > 0 ? await backend.keyWatch.whileLetIn(call, ACCESS, wait) : job;
      if (waitSeconds > 0 && isFinal(seen))
        return new JsonResponse(200, renderJobWithResult(seen, call.language, backend.dataset), { isReplay });
      return accepted({ job: seen, isReplay }, call, backend);
    },
  }),
];
