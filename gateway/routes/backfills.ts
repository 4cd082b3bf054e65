import Type from 'typebox';
import type { BackfillPage as Page } from '#proto/saring/models/v1/backfills.ts';
import { messageNamed } from '#platform/wire/descriptors.ts';
import { errorIn } from '../responses/error-language.ts';
import { withReplacements } from '#models/reasons/localised-json.ts';
import type { Language } from '#foundation/text/languages.ts';
import { jsonOf } from '#platform/wire/message-json.ts';
import { responseField, responseSchema } from '#platform/wire/message-schema.ts';
import { defineRoute } from '../routing/define-route.ts';
import { JsonResponse, JsonText } from '../responses/send-json.ts';
import { nullable } from '../schemas/common.ts';
import { named } from '#foundation/schema.ts';
import { RunResult } from '../schemas/job.ts';
import { modelIdParams } from './models.ts';
import { bodySchema, pathSchema, querySchema } from '../declarations/call-schemas.ts';
import { factsOf } from '../declarations/route-facts.ts';

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

export const backfillRoutes = [
  defineRoute({
    ...factsOf(['backfills', 'startBackfill']),
    params: modelIdParams,
    body: bodySchema(['backfills', 'startBackfill'], ['params', 'from', 'to', 'step']),
    sample: { body: { from: '2024-06-03', to: '2024-06-28', step: 'week' } },
    responses: {
      202: {
        description: 'The accepted backfill. Poll it for `days_done`.',
        schema: Backfill,
        polling: { path: '/api/v1/backfills/{backfill_id}', afterSeconds: 5 },
      },
    },
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
  defineRoute({
    ...factsOf(['backfills', 'listBackfillPages']),
    params: pathSchema(['backfills', 'getBackfill'], ['backfill_id']),
    query: querySchema(['backfills', 'listBackfillPages'], ['after', 'limit']),
    responses: { 200: { description: 'The pages.', schema: BackfillPages } },
    handler: async ({ params: { backfill_id }, query: { after, limit } }, call, { services }) => {
      const request = { backfill_id, api_key_id: call.apiKeyId, after, limit };
      const { pages, count, next_url = null } = await services.backfills.listBackfillPages(request, call);
      const others = JSON.stringify({ count, next_url });
      const texts = pages.map((page) => pageText(page, call.language));
      return new JsonText(`{"pages":[${texts.join()}],${others.slice(1)}`, undefined, call.language);
    },
  }),
];

/** The page as JSON text. Inserts the result as the worker wrote it, with its sentences in this language. */
function pageText({ day, result_json, result_english }: Page, language: Language): string {
  const result = result_json && withReplacements(result_json, language === 'en' ? result_english : []);
  const worded = day && { ...day, error_message: errorIn(language, day) };
  return `${JSON.stringify(pageJson(worded)).slice(0, -1)},"result":${result ?? null}}`;
}
