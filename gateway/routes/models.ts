import type { GetModelResponse, Parameter } from '#proto/saring/models/v1/catalogue.ts';
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
