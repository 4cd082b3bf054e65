import Type from 'typebox';
import type { View } from '#proto/saring/wire/v1/words.ts';
import { MODELS } from '#screens/registry.ts';
import { fieldSchema } from '#shared/wire/message-schema.ts';
import { defineRoute } from '../routing/define-route.ts';
import { Answer } from '../answers/send-json.ts';
import { bounded, closed } from '../schemas/common.ts';
import { Job } from '../schemas/job.ts';
import { modelIdParams } from './models.ts';
import { renderJob, renderJobWithResult } from './render-job.ts';
import { bodySchema, methodOf } from './service-route.ts';
import { isFinal, waitForRun } from './follow-run.ts';

/** The ids of the models with a compact view, for use in a sentence. */
const WITH_COMPACT_VIEW = MODELS.filter(({ views }) => views.includes('compact'))
  .map(({ id }) => id)
  .toSorted()
  .join(' and ');

/** The run endpoint, for application developers. */
const RUN_DESCRIPTION = `
Accepts a run and answers its job. Runs retrain the model and are asynchronous: **implement both answers**, 200 with
an inline \`result\` when the run ended within \`wait\`, and 202 with a job to poll; a cold start can exceed any wait.
A failed run is not an HTTP error: \`status\` is then \`failed\` and \`error.message\` says why. A client that
disconnects while waiting loses only the wait; the job goes on and is listed at /api/v1/jobs.

**Repeat safely**: send \`Idempotency-Key\` with a new random value for each run that you mean, and the same value when you
repeat a request whose answer you did not get. A repetition is answered with the job that the first request began, as
that now stands, and carries \`Idempotent-Replayed: true\`; \`wait\` may differ. 503 means that no run was accepted or will be,
unless its message says that this is not known, because what would know did not answer for some seconds: then only a
repetition with the same key, or /api/v1/jobs, shows which. A run that is not wanted any more is
given up with POST /api/v1/jobs/{job_id}/cancel.

An empty body, \`{}\` and \`{"params": null}\` all run the model with its defaults. The analysis date may be pinned by
the operator; a later or omitted \`analysis_date\` is then clamped to the pinned day. Once a run
has succeeded, \`params\` and the result (\`target_date\`, \`as_of\`) name the trading day analysed, which users must be shown.

**Results** are declared by model and view under \`result\` of the job. The full view (the default) has numbers and
display-formatted strings mixed: parse defensively. It also says what was learnt: \`diag.model\`, whose ONNX file is at
/api/v1/jobs/{job_id}/model. In the compact view (\`view=compact\`, ${WITH_COMPACT_VIEW} only) numbers are
numbers. An answer with a result names the dataset version behind it in \`X-Dataset-Version\`, in either view: that
of a generated market begins with \`synthetic-\`, and your users must know. A run without picks is a success with an \`empty\` block, whose suggestions say which filter to loosen;
recovery_v4 without positions fails.

\`probability\` is relative: 50 is as likely as the market's average name. What became of the names that the run would have
picked on past days stands in \`model_quality\`.
`.trim();

const { input } = methodOf(['runs', 'submitRun']);
const view = fieldSchema(input.typeName, 'view');

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
      view: Type.Unsafe<View>({ ...view, description: `\`compact\` exists for ${WITH_COMPACT_VIEW} only.` }),
      wait: bounded(0, 60, 0, 'Seconds to hold the connection for the result.'),
    }),
    body: bodySchema(['runs', 'submitRun'], ['params']),
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
        ? new Answer(200, renderJobWithResult(seen, call.language), { isReplay })
        : new Answer(202, renderJob(seen, call.language), { isReplay });
    },
  }),
];
