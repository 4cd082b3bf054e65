import Type from 'typebox';
import type { BackfillPage as Page } from '#proto/saring/models/v1/backfills.ts';
import { messageNamed } from '#shared/wire/descriptors.ts';
import { errorIn } from '../responses/error-language.ts';
import { withReplacements } from '#models/reasons/localised-json.ts';
import type { Language } from '#shared/text/languages.ts';
import { jsonOf } from '#shared/wire/message-json.ts';
import { responseField, responseSchema } from '#shared/wire/message-schema.ts';
import { defineRoute } from '../routing/define-route.ts';
import { JsonResponse, JsonText } from '../responses/send-json.ts';
import { nullable } from '../schemas/common.ts';
import { named } from '#shared/schema.ts';
import { RunResult } from '../schemas/job.ts';
import { modelIdParams } from './models.ts';
import { bodySchema, pathSchema, querySchema, serviceRoute } from './service-route.ts';

const messageOf = (name: string) => messageNamed(`saring.models.v1.${name}`);

const Backfill = responseSchema(messageOf('Backfill'));
const backfillJson = jsonOf(messageOf('Backfill'));
const pageJson = jsonOf(messageOf('BackfillDay'));

/** A page's result is the JSON of a model. No protobuf message declares it. */
const BackfillPage = named(
  'BackfillPage',
  Type.Object(
    {
      ...responseSchema(messageOf('BackfillDay')).properties,
      result: nullable(RunResult, 'Result of a run for that day, in the full view. Null if the run failed.'),
    },
    { description: 'Result of one past day.' },
  ),
);

const BackfillPages = named(
  'BackfillPages',
  Type.Object(
    {
      pages: Type.Array(BackfillPage, { description: 'Pages in day order.' }),
      count: responseField('saring.models.v1.ListBackfillPagesResponse', 'count'),
      next_url: responseField('saring.models.v1.ListBackfillPagesResponse', 'next_url'),
    },
    {
      description:
        'Pages finished so far. While the backfill is running, pages of other days can still appear between ' +
        'two of them.',
    },
  ),
);

const aboutOne = {
  tag: 'Backfills',
  access: 'models:run',
  unknownIdCode: 'job_not_found',
} as const;

const HISTORY =
  'The results are history: they are computed now for past days, with the data of each day alone but with ' +
  'a method chosen later. They are labelled as history and are not part of the record.';

export const backfillRoutes = [
  defineRoute({
    method: 'post',
    path: '/api/v1/models/{model_id}/backfills',
    operationId: 'startBackfill',
    tag: 'Backfills',
    summary: 'Start a backfill',
    description:
      'Runs a model for up to 520 past trading days as one job: every day from `from` to `to`, or the last one of each ' +
      `week or month. ${HISTORY} Workers run the days one by one while no run is waiting, about a second each. At most ` +
      '2 backfills of a key run at the same time; a third is refused with 429 `rate_limited`. A backfill is not a run: ' +
      'it does not appear in the usage history or in the list of jobs. `tickers` in `params` take no universe, which would have ' +
      'other members on each day.',
    access: 'models:run',
    needsEndUser: true,
    takesIdempotencyKey: true,
    params: modelIdParams,
    unknownIdCode: 'model_not_found',
    body: bodySchema(['backfills', 'startBackfill'], ['params', 'from', 'to', 'step']),
    sample: { body: { from: '2024-06-03', to: '2024-06-28', step: 'week' } },
    responses: {
      202: {
        description: 'The accepted backfill. Poll it for `days_done`.',
        schema: Backfill,
        polling: { path: '/api/v1/backfills/{backfill_id}', afterSeconds: 5 },
      },
    },
    errors: ['model_not_found', 'model_unavailable', 'rate_limited'],
    handler: async ({ params: { model_id }, body }, call, { services }) => {
      const { from, to, step, params } = body;
      const { backfill, replayed: isReplay } = await services.backfills.startBackfill(
        {
          model_id,
          from,
          to,
          step,
          params: params ?? undefined,
          api_key_id: call.apiKeyId,
          end_user: call.endUser,
          idempotency_key: call.idempotencyKey,
        },
        call,
      );
      return new JsonResponse(202, backfillJson(backfill), { isReplay });
    },
  }),
  serviceRoute({
    method: 'get',
    path: '/api/v1/backfills',
    operationId: 'listBackfills',
    rpc: ['backfills', 'listBackfills'],
    ofCaller: ['api_key_id'],
    tag: 'Backfills',
    summary: 'List backfills',
    description:
      'Lists the recent backfills of the calling key, newest first, without pages. A backfill is kept for ' +
      'some days after its end.',
    access: 'models:run',
    answer: 'The backfills.',
    errors: ['model_unavailable'],
  }),
  serviceRoute({
    ...aboutOne,
    method: 'get',
    path: '/api/v1/backfills/{backfill_id}',
    operationId: 'getBackfill',
    rpc: ['backfills', 'getBackfill'],
    member: 'backfill',
    ofCaller: ['api_key_id'],
    summary: 'Get a backfill',
    description:
      'Returns a backfill with its progress. Poll every few seconds until `status` is succeeded or failed.',
    answer: 'Current state of the backfill.',
    errors: ['job_not_found', 'model_unavailable'],
  }),
  defineRoute({
    ...aboutOne,
    method: 'get',
    path: '/api/v1/backfills/{backfill_id}/pages',
    operationId: 'listBackfillPages',
    summary: 'List the pages of a backfill',
    carriesResults: true,
    description:
      `Lists the results of a backfill in day order, also while it is running. ${HISTORY} Follow \`next_url\` ` +
      'until it is null.',
    params: pathSchema(['backfills', 'getBackfill'], ['backfill_id']),
    query: querySchema(['backfills', 'listBackfillPages'], ['after', 'limit']),
    responses: { 200: { description: 'The pages.', schema: BackfillPages } },
    errors: ['job_not_found', 'model_unavailable'],
    handler: async ({ params: { backfill_id }, query: { after, limit } }, call, { services }) => {
      const request = { backfill_id, api_key_id: call.apiKeyId, after, limit };
      const { pages, count, next_url = null } = await services.backfills.listBackfillPages(request, call);
      const others = JSON.stringify({ count, next_url });
      const texts = pages.map((page) => pageText(page, call.language));
      return new JsonText(`{"pages":[${texts.join()}],${others.slice(1)}`, undefined, call.language);
    },
  }),
  serviceRoute({
    ...aboutOne,
    method: 'post',
    path: '/api/v1/backfills/{backfill_id}/cancel',
    operationId: 'cancelBackfill',
    rpc: ['backfills', 'cancelBackfill'],
    member: 'backfill',
    ofCaller: ['api_key_id'],
    summary: 'Cancel a backfill',
    description:
      'Cancels a backfill. Takes no body. The backfill ends as `failed` immediately, and its finished ' +
      'pages are kept. A backfill that has ended stays unchanged.',
    answer: 'The cancelled backfill.',
    errors: ['job_not_found', 'model_unavailable'],
  }),
];

/** The page as JSON text. Inserts the result as the worker wrote it, with its sentences in this language. */
function pageText({ day, result_json, result_english }: Page, language: Language): string {
  const result = result_json && withReplacements(result_json, language === 'en' ? result_english : []);
  const worded = day && { ...day, error_message: errorIn(language, day) };
  return `${JSON.stringify(pageJson(worded)).slice(0, -1)},"result":${result ?? null}}`;
}
