import Type from 'typebox';
import type { GetModelResponse, Parameter } from '#proto/saring/models/v1/catalogue.ts';
import { RecordServiceService } from '#proto/saring/models/v1/record.ts';
import { methodAt } from '#shared/wire/descriptors.ts';
import { jsonOf } from '#shared/wire/message-json.ts';
import { answerSchema, fieldSchema } from '#shared/wire/message-schema.ts';
import { defineRoute } from '../routing/define-route.ts';
import { closed, OpaqueId } from '../schemas/common.ts';
import { ModelDetail, ModelList, ModelParams } from '../schemas/model.ts';

export const modelIdParams = closed({
  model_id: OpaqueId('Model id, as listed at /api/v1/models.', 'model_f_combined'),
});

const aboutOneModel = {
  method: 'get',
  tag: 'Models',
  access: 'models:read',
  params: modelIdParams,
  unknownIdCode: 'model_not_found',
  errors: ['model_not_found', 'model_unavailable'],
} as const;

const record = methodAt(RecordServiceService.getRecord.path)!;
const recordJson = jsonOf(record.output);
const recordDay = (name: 'from' | 'to') =>
  Type.Optional(Type.Unsafe<string>(fieldSchema(record.input.typeName, name)));

export const modelRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/v1/models',
    operationId: 'listModels',
    tag: 'Models',
    summary: 'The published screening models',
    description: 'Six models; each returns a list of candidate stocks by a different method.',
    access: 'models:read',
    responses: { 200: { description: 'The catalogue.', schema: ModelList } },
    errors: ['model_unavailable'],
    handler: async (_input, call, { services }) => ({
      models: (await services.catalogue.listModels({}, call)).models,
    }),
  }),
  defineRoute({
    ...aboutOneModel,
    path: '/api/v1/models/{model_id}',
    operationId: 'getModel',
    summary: 'One model with its parameters and explanation',
    description: 'The explanation is in Bahasa Indonesia: what the model does, when it suits, how to set it.',
    responses: { 200: { description: 'The model.', schema: ModelDetail } },
    handler: async ({ params: { model_id } }, call, { services }) => {
      const found = await services.catalogue.getModel({ model_id }, call);
      return { ...found.model, params: parametersOf(found), explanation: found.explanation };
    },
  }),
  defineRoute({
    ...aboutOneModel,
    path: '/api/v1/models/{model_id}/params',
    operationId: 'getModelParams',
    summary: 'The parameter schema of a model',
    description:
      'What may stand in `params` of a run: types, defaults, bounds and options, all of them enforced.',
    responses: { 200: { description: 'The parameter schema.', schema: ModelParams } },
    handler: async ({ params: { model_id } }, call, { services }) => {
      const found = await services.catalogue.getModel({ model_id }, call);
      return { model_id: found.model?.id ?? model_id, params: parametersOf(found) };
    },
  }),
  defineRoute({
    ...aboutOneModel,
    path: '/api/v1/models/{model_id}/record',
    operationId: 'getModelRecord',
    summary: 'What came of the picks of a model',
    description:
      'Every pick of every succeeded run is written down with its levels, chance and dataset version when it is made, and ' +
      'sealed together with the one before. As trading days arrive, picks are judged by the entry and the barriers that ' +
      'the models learn from: `definition`. A pick counts when it is of the last day of its dataset version and no later ' +
      'day was served before it was written down; others are `history` and in no figure. `daily` is of the runs that the ' +
      'operator makes with the defaults on every new trading day, and the same for everybody; `own` is of the runs of the ' +
      'calling key alone. A model without levels (`confluence_filter`) is judged by a target of 10 % and a stop of 5 % ' +
      'within 20 trading days. `recovery_v4` looks at positions of its caller and picks nothing: it has no record.',
    query: closed({ from: recordDay('from'), to: recordDay('to') }),
    responses: { 200: { description: 'The record.', schema: answerSchema(record.output) } },
    handler: async ({ params, query }, call, { services }) => {
      const request = { ...params, from: query.from, to: query.to, api_key_id: call.apiKeyId };
      return recordJson(await services.record.getRecord(request, call));
    },
  }),
];

function parametersOf({ params }: GetModelResponse): Record<string, object> {
  return Object.fromEntries(
    Object.entries(params).map(([name, parameter]) => [name, renderParameter(parameter)]),
  );
}

/** Bounds, options and text that do not apply are left out; a missing default is said. */
function renderParameter(parameter: Parameter): object {
  const { type, min, max, options, max_items, description } = parameter;
  return {
    type,
    default: (parameter.default as unknown) ?? null,
    min,
    max,
    options: options.length > 0 ? options : undefined,
    items: parameter.items as object | undefined,
    max_items,
    description: description || undefined,
  };
}
