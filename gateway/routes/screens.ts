import Type from 'typebox';
import { USUAL_HOLDING_DAYS } from '#shared/market/past-span.ts';
import type { ScreenStocksResponse } from '#proto/saring/market_data/v1/fields.ts';
import type { PreviewScreenRequest } from '#proto/saring/screens/v1/screens.ts';
import { ServiceError } from '#shared/service-error.ts';
import { jsonOf } from '#shared/wire/message-json.ts';
import { fieldSchema, responseSchema } from '#shared/wire/message-schema.ts';
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
  serviceRoute,
} from './service-route.ts';

/** How rules are written, for the endpoints that take them. */
const RULES =
  'Rules are a line of text, such as `rsi_14 < 35 and foreign_net_20d_idr > 0 sort by value_idr desc limit 20`, or the same as ' +
  'an object. GET /api/v1/fields lists the fields. A mistake is `invalid_request`; `detail` names the column of the text, or ' +
  'the member of the object.';
const OWNERSHIP =
  'A screen belongs to the end user of `X-End-User`. A shared one can be read and run by every end user of the key.';
const BY_MODEL =
  'Instead of `rules`, a screen can have a `model_id` and the `params` of its runs, as listed at ' +
  '/api/v1/models/{model_id}/params; `universe` then says which stocks the model may pick. Exactly one of `rules` and ' +
  '`model_id` is sent.';
const PAST_OF_MODEL =
  'The picks of a screen by model are those of a finished backfill of the key, by POST /api/v1/models/{model_id}/backfills, with the ' +
  'parameters of the screen, and the stocks of its universe as they are now as `tickers`. It must have every trading day of the span ' +
  'whose outcome is known, or the last one of each week; `step` says which of the two, and no other day is counted. Without one, the ' +
  'response is 422, and `ctx` in its `detail` is the body of one that would do. The key needs the scope `models:run` too. A screen ' +
  'that picks among a universe such as `universe:LQ45`, whose members change, is 400 `unsupported_for_model_screen`.';
export const BUDGET =
  'A key can have 8 evaluations running at once, and evaluate 3,000 days within a minute; beyond that the response is 429 ' +
  '`rate_limited`, whose message says which. The operator can set other limits.';
const CSV =
  '`format=csv` returns the stocks alone as CSV: ticker, name, then the values. Without stocks it names no values.';

const ofEndUser = {
  tag: 'Screens',
  needsEndUser: true,
  ofCaller: ['api_key_id', 'end_user'],
} as const;
const aboutOne = { ...ofEndUser, unknownIdCode: 'screen_not_found' } as const;

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
  serviceRoute({
    ...ofEndUser,
    method: 'post',
    path: '/api/v1/screens',
    operationId: 'createScreen',
    rpc: ['screens', 'createScreen'],
    member: 'screen',
    status: 201,
    access: 'screens:write',
    summary: 'Create a screen',
    description:
      `Saves rules, or a run of a model, under a name, as version 1. ${RULES} ${BY_MODEL} ${OWNERSHIP} An end user can own 200 screens, and all end users of a ` +
      'key 2,000 together, unless the operator has set other limits. A screen by rules is evaluated whenever a dataset version is ' +
      'published; see `/api/v1/screens/{screen_id}/changes`. One that reads the results of models waits for those of a new day.',
    answer: 'The new screen.',
    errors: ['model_not_found', 'model_unavailable'],
  }),
  serviceRoute({
    ...ofEndUser,
    method: 'get',
    path: '/api/v1/screens',
    operationId: 'listScreens',
    rpc: ['screens', 'listScreens'],
    access: 'screens:read',
    summary: 'List screens',
    description:
      'Lists the screens of the end user and those that other end users of the key share, newest first. Pass `next_cursor` as ' +
      '`cursor` until `has_more` is false.',
    answer: 'A page of screens.',
    errors: ['invalid_cursor'],
  }),
  // Before the routes of one screen, whose id could otherwise be `preview`.
  defineRoute({
    ...ofEndUser,
    method: 'post',
    path: '/api/v1/screens/preview',
    operationId: 'previewScreen',
    access: 'screens:read',
    comesFromDataset: true,
    csvOf: 'rows',
    summary: 'Run rules without saving them',
    description: `Lists the stocks that pass rules, and returns at once. ${RULES} ${BUDGET} ${CSV}`,
    query: closed({ format: FORMAT }),
    body: bodySchema(['screens', 'previewScreen'], ['rules', 'universe', 'as_of', 'columns']),
    responses: { 200: { description: 'The stocks.', schema: responseSchema(previewing.output) } },
    errors: ['not_found'],
    handler: async ({ query, body }, call, { services }) => {
      const sent = requestOf(previewing.input.fields, body) as unknown as PreviewScreenRequest;
      const request = { ...sent, api_key_id: call.apiKeyId, end_user: call.endUser };
      const response = await services.screens.previewScreen(request, call);
      return query.format === 'csv' ? csvOf(response.result!) : previewJson(response);
    },
  }),
  serviceRoute({
    ...aboutOne,
    method: 'get',
    path: '/api/v1/screens/{screen_id}',
    operationId: 'getScreen',
    rpc: ['screens', 'getScreen'],
    member: 'screen',
    access: 'screens:read',
    summary: 'Get a screen',
    description:
      'Returns a screen with its rules in both forms, or with its model. Every version is kept as long as the screen: `version` returns the rules ' +
      'of a past result.',
    answer: 'The screen.',
    errors: ['screen_not_found'],
  }),
  serviceRoute({
    ...aboutOne,
    method: 'put',
    path: '/api/v1/screens/{screen_id}',
    operationId: 'replaceScreen',
    rpc: ['screens', 'replaceScreen'],
    member: 'screen',
    access: 'screens:write',
    summary: 'Replace a screen',
    description:
      `Makes the next version of a screen, which its owner alone can do. What the body leaves out gets its default. ${RULES} ${BY_MODEL} ` +
      'Send the `version` that you have read to replace no other one: the response is 409 `stale_version` if the screen has ' +
      'another version by now.',
    answer: 'The screen in its new version.',
    errors: ['screen_not_found', 'stale_version', 'model_not_found', 'model_unavailable'],
  }),
  serviceRoute({
    ...aboutOne,
    method: 'delete',
    path: '/api/v1/screens/{screen_id}',
    operationId: 'deleteScreen',
    rpc: ['screens', 'deleteScreen'],
    access: 'screens:write',
    summary: 'Delete a screen',
    description: 'Deletes a screen with all its versions and changes, which its owner alone can do.',
    answer: 'The screen is deleted.',
    errors: ['screen_not_found'],
  }),
  defineRoute({
    ...aboutOne,
    method: 'post',
    path: '/api/v1/screens/{screen_id}/run',
    operationId: 'runScreen',
    access: 'screens:read',
    comesFromDataset: true,
    csvOf: 'rows',
    summary: 'Run a screen',
    takesIdempotencyKey: true,
    description:
      `Lists the stocks that are in a screen on a day, and returns at once. Takes no body. ${BUDGET} ${CSV}\n\n` +
      'A screen by model starts a run: the response is 202 with its job, exactly as from ' +
      'POST /api/v1/models/{model_id}/runs, and the run counts as one of the key, with its limits. The key then also needs the ' +
      'scope `models:run`. The stocks of the universe, with a watchlist or sector as it is now, become `tickers` of the run. ' +
      '`as_of`, `columns` and `format=csv` are 400 `unsupported_for_model_screen`. `Idempotency-Key` works as for a run; for a ' +
      'screen by rules, which changes nothing, it has no effect.',
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
    errors: [
      'screen_not_found',
      'watchlist_not_found',
      'not_found',
      'unsupported_for_model_screen',
      'model_unavailable',
    ],
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
      return format === 'csv' ? csvOf(response.result!) : runJson(response);
    },
  }),
  serviceRoute({
    ...aboutOne,
    method: 'get',
    path: '/api/v1/screens/{screen_id}/explain',
    operationId: 'explainScreen',
    rpc: ['screens', 'explainScreen'],
    access: 'screens:read',
    comesFromDataset: true,
    summary: 'Explain a stock of a screen',
    description:
      'Says which conditions of a screen a stock passes and fails on a day, and by how much. Any stock can be explained, also ' +
      'one outside the universe of the screen. For a screen by model the response is 400 `unsupported_for_model_screen`: ' +
      `/api/v1/jobs/{job_id}/explain explains its jobs. ${BUDGET}`,
    answer: 'How the stock stands to every condition.',
    errors: ['screen_not_found', 'watchlist_not_found', 'not_found', 'unsupported_for_model_screen'],
  }),
  defineRoute({
    ...aboutOne,
    method: 'get',
    path: '/api/v1/screens/{screen_id}/past',
    operationId: 'getScreenPast',
    access: 'screens:read',
    comesFromDataset: true,
    hasSentences: true,
    summary: 'Judge a screen by its past',
    description:
      'Runs a screen by rules as of every trading day of a span, on what was known on that day, and says what came of its picks: ' +
      'bought with a limit order for the next day, sold at the target, at the stop or at the end of the horizon, with ticks, fees ' +
      'and tax, exactly as models judge theirs. Beside it stands what all liquid stocks came to on the same days, without those ' +
      'that closed at their upper limit, and what random choices of as many of them came to. The span has at most five years; each of its trading days counts as one evaluated day. ' +
      'A screen that was made to fit the past looks better there than it is. Every distinct trial of the end user on overlapping ' +
      'days is therefore kept, deleted screens included, and `trials` says what is left of the Sharpe ratio when they count. ' +
      `\`verdict\` is never better than the worst test. ${BUDGET}\n\n${PAST_OF_MODEL}`,
    params: pathSchema(['screens', 'getScreenPast'], ['screen_id']),
    query: querySchema(
      ['screens', 'getScreenPast'],
      ['from', 'to', 'target_gain', 'stop_loss', 'horizon_days'],
    ),
    responses: { 200: { description: 'What came of the picks.', schema: responseSchema(judging.output) } },
    errors: [
      'screen_not_found',
      'watchlist_not_found',
      'not_found',
      'unsupported_for_model_screen',
      'model_unavailable',
    ],
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
  serviceRoute({
    ...aboutOne,
    method: 'get',
    path: '/api/v1/screens/{screen_id}/changes',
    operationId: 'listScreenChanges',
    rpc: ['screens', 'listScreenChanges'],
    access: 'screens:read',
    summary: 'List the changes of a screen',
    description:
      'Lists the days on which stocks entered or left a screen, newest first, with the conditions that decided. A day is ' +
      'recorded within seconds after the dataset has it. If its data are corrected, so are its changes. Days that arrive ' +
      'together count as one change. The first day of a new version has nothing to be compared with and is not listed. Days ' +
      'are kept for two years, unless the operator has set another time. `since` names the first day. Pass `next_cursor` as ' +
      '`cursor`, with the same filters, until `has_more` is false. A screen by model is not followed, because every run learns ' +
      'anew: the response is 400 `unsupported_for_model_screen`. Compare two of its jobs with /api/v1/jobs/{job_id}/diff; the ' +
      'operator can schedule its model.',
    answer: 'A page of changes.',
    errors: ['screen_not_found', 'invalid_cursor', 'unsupported_for_model_screen'],
  }),
  serviceRoute({
    ...ofEndUser,
    method: 'get',
    path: '/api/v1/data/stocks/{ticker}/screens',
    operationId: 'listScreensOfStock',
    rpc: ['screens', 'listScreensOfStock'],
    access: 'screens:read',
    unknownIdCode: 'not_found',
    summary: 'List the screens that hold a stock',
    description:
      'Lists the screens of the end user, and those shared within the key, that hold a stock on the newest day, by name. The ' +
      'list is empty for a ticker that no stock has.',
    answer: 'The screens.',
    errors: [],
  }),
];

/** The rows as CSV: every field that was returned is a column. */
function csvOf({ rows, dataset_version }: ScreenStocksResponse): CsvResponse {
  const columns = ['ticker', 'name', ...Object.keys(rows[0]?.values ?? {})];
  const cells = rows.map(({ ticker, name = null, values }) => ({ ...values, ticker, name }));
  return new CsvResponse(columns, cells, { dataset_version, next_cursor: null });
}
