import { routes } from '#gateway/routes/index.ts';
import { CONTRACT_CODES } from '../error-matrix/contract-codes.ts';
import { freeFormObjects } from '../declared-api/json-schema.ts';
import type { OpenApiDocument } from '../declared-api/openapi-document.ts';

/** Every declared endpoint, as method and path. */
export const ENDPOINTS = routes.map(({ method, path }) => `${method} ${path}`);

/**
 * Endpoints beyond the contract that applications may use, without `/api/v1` before the paths. A new one is added with its release;
 * none is removed without a major version.
 */
const RELEASED = [
  'post jobs/{job_id}/cancel',
  'get jobs/{job_id}/events',
  'get jobs/{job_id}/model',
  'get jobs/{job_id}/explain',
  'get jobs/{job_id}/diff',
  'post models/{model_id}/backfills',
  'get backfills',
  'get backfills/{backfill_id}',
  'get backfills/{backfill_id}/pages',
  'post backfills/{backfill_id}/cancel',
  'get consent/documents/{document_id}',
  'get models/{model_id}/record',
  'get data/stocks',
  'get data/universes',
  'get data/stocks/{ticker}/actions',
  'get data/stocks/{ticker}/bars',
  'get data/bars',
  'get data/stocks/{ticker}/screens',
  'get fields',
  'get fields/values',
  'post screens',
  'get screens',
  'post screens/preview',
  'get screens/{screen_id}',
  'put screens/{screen_id}',
  'delete screens/{screen_id}',
  'post screens/{screen_id}/run',
  'get screens/{screen_id}/explain',
  'get screens/{screen_id}/past',
  'get screens/{screen_id}/changes',
  'post simulations',
  'post sessions',
  'get sessions',
  'delete sessions/{session_id}',
  'post watchlists',
  'get watchlists',
  'get watchlists/{watchlist_id}',
  'put watchlists/{watchlist_id}',
  'delete watchlists/{watchlist_id}',
  'post webhooks',
  'get webhooks',
  'get webhooks/{webhook_id}',
  'put webhooks/{webhook_id}',
  'delete webhooks/{webhook_id}',
  'post webhooks/{webhook_id}/enable',
  'post webhooks/{webhook_id}/disable',
  'post webhooks/{webhook_id}/rotate',
  'post webhooks/{webhook_id}/test',
  'get webhooks/{webhook_id}/deliveries',
  'post webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver',
  'post webhooks/{webhook_id}/redeliver',
  'get events',
  'get usage/requests',
  'get usage/screen-runs',
  'get usage/screen-runs/summary',
  'get admin/usage/screen-runs',
  'get admin/usage/screen-runs/summary',
  'get features',
  'get key',
  'get operator/processes',
  'get operator/queue',
  'get operator/datasets',
  'get operator/datasets/history',
  'get operator/datasets/{version}/rejected-rows',
  'get operator/keys',
  'get operator/keys/actions',
  'get operator/schedules',
  'get operator/schedules/firings',
  'get operator/feed/sources',
  'get operator/feed/fetches',
  'get operator/usage/summary',
  'get operator/usage/keys',
];

/** Those that the contract or a release promises. */
export const REQUIRED_ENDPOINTS = [
  ...CONTRACT_CODES.map(({ endpoint }) => endpoint.replace(/^\w+/, (method) => method.toLowerCase())),
  ...RELEASED.map((endpoint) => endpoint.replace(' ', ' /api/v1/')),
];

/** Objects whose members the contract leaves open. Every other object of the document must name its members. */
export const OPEN_BY_CONTRACT: Record<string, string> = {
  'RunRequest/params': 'parameters by name, as the model’s own schema declares them',
  'Job/params': 'the same, as the run used them',
  'BackfillRequest/params': 'the same, but for the day',
  'Backfill/params': 'the same, as its runs use them',
  'UsageEvent/params': 'the same, exactly what the model received',
  'AdminUsageEvent/params': 'the same, exactly what the model received',
  'KeyAction/changes/anyOf0': 'what was changed, by field',
  'Schedule/params/anyOf0': 'parameters by name, as the model’s own schema declares them',
  'Parameter/default': 'of any type: that of the parameter',
  'Parameter/options/items': 'of any type: that of the parameter',
  'Parameter/items': 'a JSON schema of what the parameter lists',
  'ScreenRequest/rules': 'rules as an object, or a text',
  'ScreenReplacement/rules': 'the same',
  'ScreenPreviewRequest/rules': 'the same',
  'Screen/rules/anyOf0': 'the same, as an object',
  'ScreenRequest/params': 'parameters by name, as the model’s own schema declares them',
  'ScreenReplacement/params': 'the same',
  'Screen/params/anyOf0': 'the same',
  'SimulationRequest/params': 'the same, as a backfill of the model has them',
  'ScreenRow/values': 'values by field, of the type that the catalogue names',
  'ExplainedRule/value': 'of any type: that of the field',
  'ExplainedRule/threshold': 'of any type: that of the field',
  'RunDiff/params_changed/items/before': 'of any type: that of the parameter',
  'RunDiff/params_changed/items/now': 'of any type: that of the parameter',
  'Attempt/request_headers': 'headers by name',
  'FieldError/input': 'whatever was sent',
  'FieldError/ctx': 'the limit that was broken, by its kind',
};

/** The places where the document allows anything: the name of a schema, or the operation and its part, then the path within. */
export function openMembers({ components, paths }: OpenApiDocument): string[] {
  const named = Object.entries(components.schemas).flatMap(([name, schema]) => freeFormObjects(schema, name));
  const inline = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ operationId, parameters, requestBody, responses }) => {
      const inputs = parameters.map(({ name, schema }) => [name, schema] as const);
      const bodies = Object.entries({ body: requestBody ?? {}, ...responses }).flatMap(
        ([part, { content }]) => Object.values(content ?? {}).map(({ schema }) => [part, schema] as const),
      );
      return [...inputs, ...bodies].flatMap(([part, schema]) =>
        freeFormObjects(schema, `${operationId} ${part}`),
      );
    });
  return [...named, ...inline].toSorted();
}
