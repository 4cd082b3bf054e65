import Type from 'typebox';
import type { View } from '#proto/saring/wire/v1/words.ts';
import { MODELS } from '#models/registry.ts';
import { fieldSchema } from '#shared/wire/message-schema.ts';
import { defineRoute } from '../routing/define-route.ts';
import { JsonResponse } from '../responses/send-json.ts';
import { bounded, closed } from '../schemas/common.ts';
import { acceptedJob, Job } from '../schemas/job.ts';
import { modelIdParams } from './models.ts';
import { renderJobWithResult } from './render-job.ts';
import { bodySchema, methodOf } from './service-route.ts';
import { isFinal, waitForRun } from '../following/follow-run.ts';
import { accepted, submitRun } from './submit-run.ts';

/** The ids of the models with a compact view, for use in a sentence. */
const WITH_COMPACT_VIEW = MODELS.filter(({ views }) => views.includes('compact'))
  .map(({ id }) => id)
  .toSorted()
  .join(' and ');

/** The run endpoint, for application developers. */
const RUN_DESCRIPTION = `
Accepts a run and returns its job. Runs retrain the model and are asynchronous. **Handle both responses**: 200 with an
inline \`result\` if the run ended within \`wait\`, and 202 with a job to poll. A cold start can exceed any wait. A failed
run is not an HTTP error: \`status\` is then \`failed\`, and \`error.message\` gives the reason. If the client disconnects
while waiting, the job continues and is listed at /api/v1/jobs.

**Repeat safely**: send \`Idempotency-Key\` with a new random value for each intended run, and with the same value when you
repeat a request whose response you did not receive. A repeated request returns the current state of the job that the
first request started, with \`Idempotent-Replayed: true\`; \`wait\` can differ. 503 means that this request has started no run
and will not. The one exception is a 503 whose message says that the outcome is not known, because the service that would know
did not respond for some seconds: then only a repeated request with the same key, or /api/v1/jobs, shows the outcome. A later
503 does not take that back: it says that an earlier request with the key may have been carried out. So repeat until the answer
is another one. To cancel a run that is no longer wanted, use POST /api/v1/jobs/{job_id}/cancel.

An empty body, \`{}\` and \`{"params": null}\` all run the model with its defaults. The operator can pin the analysis date.
A later or omitted \`analysis_date\` is then set to the pinned day. Once a run has succeeded, \`params\` and the result
(\`target_date\`, \`as_of\`) contain the trading day analysed. Show that day to your users.

**\`tickers\`** limits which stocks may be picked: \`{"params": {"tickers": ["BBCA", "universe:LQ45"]}}\`. The model learns from the
whole market and ranks all of it nevertheless, so every pick is as in the result without \`tickers\`, \`rank\` included, and
\`model_quality\` is of picks among all stocks. \`params\` of the job has the tickers in upper case, with the members on the
analysed day in the place of universes. Tickers that the dataset does not have are in \`missing\` of the result. If it has none of
them, or a universe is unknown, the response is 404 \`not_found\`. recovery_v4 skips positions that are not among them.

**Results** are described by model and view under \`result\` of the job. The full view (the default) mixes numbers and
display-formatted strings: parse defensively. It also describes what was learnt in \`diag.model\`; the ONNX file of that
model is at /api/v1/jobs/{job_id}/model. In the compact view (\`view=compact\`, ${WITH_COMPACT_VIEW} only) all
numbers are JSON numbers. In both views, a response with a result names its dataset version in \`X-Dataset-Version\`.
Versions of a generated market begin with \`synthetic-\`: tell your users. A run without picks is a success with an \`empty\`
block, whose suggestions name the filters to loosen. recovery_v4 fails if it is given no positions or can judge none of them.

\`probability\` is relative: 50 is as likely as the average stock of the market. \`model_quality\` reports the outcomes of
the stocks that the run would have picked on past days.
`.trim();

const ACCESS = 'models:run';
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
    access: ACCESS,
    needsEndUser: true,
    takesIdempotencyKey: true,
    params: modelIdParams,
    unknownIdCode: 'model_not_found',
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
    errors: ['model_not_found', 'model_unavailable', 'not_found'],
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
