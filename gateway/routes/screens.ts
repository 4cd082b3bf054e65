import Type from 'typebox';
import { USUAL_HOLDING_DAYS } from '#shared/market/past-span.ts';
import type { ScreenStocksResponse } from '#proto/saring/market_data/v1/fields.ts';
import type { PreviewScreenRequest } from '#proto/saring/screens/v1/screens.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { jsonOf } from '#platform/wire/message-json.ts';
import { fieldSchema, responseSchema } from '#platform/wire/message-schema.ts';
import { CsvResponse } from '../responses/csv.ts';
import { JsonText } from '../responses/send-json.ts';
import { defineRoute } from '../routing/define-route.ts';
import { requireScope } from '../auth/authenticate.ts';
import { closed } from '../schemas/common.ts';
import { acceptedJob } from '../schemas/job.ts';
import { accepted, submitRun } from './submit-run.ts';
import { withPastPicks } from './past-picks.ts';
import {
  bodySchema,
  FORMAT,
  methodOf,
  namesIn,
  pathSchema,
  querySchema,
  requestOf,
} from '../declarations/call-schemas.ts';
import { factsOf } from '../declarations/route-facts.ts';

const running = methodOf(['screens', 'runScreen']);
const runJson = jsonOf(running.output);
const previewing = methodOf(['screens', 'previewScreen']);
const previewJson = jsonOf(previewing.output);

const judging = methodOf(['screens', 'getScreenPast']);
const judgedJson = jsonOf(judging.output);

const NO_CSV = 'The screen runs a model, whose result is JSON: leave `format` out.';

const COLUMNS = Type.Optional(
  Type.String({
    description: 'Fields to return besides those that the rules name, comma-separated. At most 30.',
    examples: ['close,value_idr'],
  }),
);

export const screenRoutes = [
  defineRoute({
    ...factsOf(['screens', 'previewScreen']),
    query: closed({ format: FORMAT }),
    body: bodySchema(['screens', 'previewScreen'], ['rules', 'universe', 'as_of', 'columns']),
    responses: { 200: { description: 'The stocks.', schema: responseSchema(previewing.output) } },
    handler: async ({ query, body }, call, { services }) => {
      const sent = requestOf(previewing.input.fields, body) as unknown as PreviewScreenRequest;
      const request = { ...sent, api_key_id: call.apiKeyId, end_user: call.endUser };
      const response = await services.screens.previewScreen(request, call);
      return query.format === 'csv'
        ? csvOf(response.result!)
        : rowsIn(previewJson(response), response.result!);
    },
  }),
  defineRoute({
    ...factsOf(['screens', 'runScreen']),
    takesIdempotencyKey: true,
    repeatable: 'by its key',
    params: pathSchema(['screens', 'runScreen'], ['screen_id']),
    query: closed({
      as_of: Type.Optional(fieldSchema(running.input.typeName, 'as_of')),
      columns: COLUMNS,
      format: FORMAT,
    }),
    responses: {
      200: { description: 'The stocks of a screen by rules.', schema: responseSchema(running.output) },
      202: acceptedJob('The job of a screen by model. Poll `poll_url`.'),
    },
    handler: async ({ params, query }, call, backend) => {
      const { as_of, columns = '', format } = query as { as_of?: string; columns?: string; format: string };
      const request = {
        ...params,
        as_of,
        columns: namesIn(columns),
        api_key_id: call.apiKeyId,
        end_user: call.endUser,
      };
      const response = await backend.services.screens.runScreen(request, call);
      if (response.model_run) {
        if (format === 'csv') throw new ServiceError('unsupported_for_model_screen', NO_CSV);
        requireScope('models:run', call.apiKey);
        return accepted(
          await submitRun({ view: 'full', ...response.model_run }, call, backend),
          call,
          backend,
        );
      }
      return format === 'csv' ? csvOf(response.result!) : rowsIn(runJson(response), response.result!);
    },
  }),
  defineRoute({
    ...factsOf(['screens', 'getScreenPast']),
    hasSentences: true,
    params: pathSchema(['screens', 'getScreenPast'], ['screen_id']),
    query: querySchema(
      ['screens', 'getScreenPast'],
      ['from', 'to', 'target_gain', 'stop_loss', 'horizon_days'],
    ),
    responses: { 200: { description: 'What came of the picks.', schema: responseSchema(judging.output) } },
    handler: async ({ params, query }, call, backend) => {
      const { apiKeyId: api_key_id, endUser: end_user, language } = call;
      const request = { ...params, ...query, api_key_id, end_user, language };
      const { from, to, horizon_days = USUAL_HOLDING_DAYS } = query;
      const response = await withPastPicks(
        (past_picks) => backend.services.screens.getScreenPast({ ...request, past_picks }, call),
        { from, to, step: undefined, limit: undefined, horizon_days },
        call,
        backend,
      );
      return new JsonText(JSON.stringify(judgedJson(response)), response.past?.dataset_version, language);
    },
  }),
];

/** The rows are passed on as they come, in their place: reading half a megabyte would hold up other requests. */
function rowsIn(json: unknown, { rows_json, dataset_version }: ScreenStocksResponse): JsonText {
  const text = JSON.stringify(json);
  // Services of an earlier version send the rows themselves. No string can hold the searched text, because its quotes would be escaped.
  const whole =
    rows_json.length > 0 ? text.replace('"rows":[]', () => `"rows":${rows_json.toString()}`) : text;
  return new JsonText(whole, dataset_version);
}

/** The rows as CSV: every field that was returned is a column. */
function csvOf({ rows: sent, rows_json, dataset_version }: ScreenStocksResponse): CsvResponse {
  const rows = rows_json.length > 0 ? (JSON.parse(rows_json.toString()) as typeof sent) : sent;
  const columns = ['ticker', 'name', ...Object.keys(rows[0]?.values ?? {})];
  const cells = rows.map(({ ticker, name = null, values }) => ({ ...values, ticker, name }));
  return new CsvResponse(columns, cells, { dataset_version, next_cursor: null });
}
