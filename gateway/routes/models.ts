import Type from 'typebox';
import type { GetModelResponse } from '#proto/saring/models/v1/catalogue.ts';
import { jsonOf } from '#shared/wire/message-json.ts';
import { responseField } from '#shared/wire/message-schema.ts';
import { named } from '#shared/schema.ts';
import { JsonText } from '../responses/send-json.ts';
import { defineRoute } from '../routing/define-route.ts';
import { methodOf, pathSchema, serviceRoute } from './service-route.ts';
import { FEATURES, wordsOf } from '#models/reasons/feature-words.ts';

const FeatureNames = named(
  'FeatureNames',
  Type.Object({
    features: Type.Array(
      Type.Object({
        name: Type.String({
          description: 'Name of the feature, as in contributions and in `feature_names` of `diag.model`.',
          examples: ['rsi_14'],
        }),
        id: Type.String({ description: 'Display name in Bahasa Indonesia.', examples: ['RSI 14 hari'] }),
        en: Type.String({ description: 'Display name in English.', examples: ['The 14-day RSI'] }),
      }),
      { description: 'All features that any model uses.' },
    ),
  }),
);

export const featureRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/v1/features',
    operationId: 'listFeatures',
    tag: 'Models',
    summary: 'List the features of the models',
    description: 'Returns the display names of the features in `contributions`, in both languages.',
    access: 'models:read',
    responses: { 200: { description: 'The features.', schema: FeatureNames } },
    errors: [],
    handler: () => ({
      features: FEATURES.map((name) => ({ name, id: wordsOf(name).id, en: wordsOf(name).en })),
    }),
  }),
];

const { output } = methodOf(['catalogue', 'getModel']);
const modelJson = jsonOf(output) as (found: GetModelResponse) => { params: object };

export const modelIdParams = pathSchema(['catalogue', 'getModel'], ['model_id']);

/** The part of a full model that holds its parameters. */
const ModelParams = named(
  'ModelParams',
  Type.Object({
    model_id: responseField('saring.models.v1.Model', 'id'),
    params: responseField(output.typeName, 'params'),
  }),
);

const aboutOneModel = {
  method: 'get',
  tag: 'Models',
  access: 'models:read',
  unknownIdCode: 'model_not_found',
  errors: ['model_not_found', 'model_unavailable'],
} as const;

export const modelRoutes = [
  serviceRoute({
    method: 'get',
    path: '/api/v1/models',
    operationId: 'listModels',
    rpc: ['catalogue', 'listModels'],
    tag: 'Models',
    summary: 'List models',
    description:
      'Lists the six published screening models. Each uses a different method. Five return a list of ' +
      'candidate stocks; `recovery_v4` judges positions of its caller.',
    access: 'models:read',
    answer: 'The catalogue.',
    errors: ['model_unavailable'],
  }),
  serviceRoute({
    ...aboutOneModel,
    path: '/api/v1/models/{model_id}',
    operationId: 'getModel',
    rpc: ['catalogue', 'getModel'],
    ofCaller: ['language'],
    summary: 'Get a model',
    description:
      'Returns a model with its parameters and explanation. The explanation states what the model does, ' +
      'when it is suitable and how to set it.',
    answer: 'The model.',
  }),
  defineRoute({
    ...aboutOneModel,
    path: '/api/v1/models/{model_id}/params',
    operationId: 'getModelParams',
    hasSentences: true,
    summary: 'Get the parameter schema of a model',
    description:
      'Returns the parameters allowed in `params` of a run: types, defaults, bounds and options. All of ' +
      'them are enforced.',
    params: modelIdParams,
    responses: { 200: { description: 'The parameter schema.', schema: ModelParams } },
    handler: async ({ params: { model_id } }, call, { services }) => {
      const { language } = call;
      const found = await services.catalogue.getModel({ model_id, language }, call);
      const response = { model_id: found.model?.id ?? model_id, params: modelJson(found).params };
      return new JsonText(JSON.stringify(response), undefined, language);
    },
  }),
  serviceRoute({
    ...aboutOneModel,
    path: '/api/v1/models/{model_id}/record',
    operationId: 'getModelRecord',
    rpc: ['record', 'getRecord'],
    ofCaller: ['api_key_id'],
    summary: 'Get the record of a model',
    description:
      'Returns the outcomes of the picks of a model. All picks of all succeeded runs are recorded with ' +
      'their levels, chance and dataset version when they are made, and each entry is sealed together ' +
      'with the previous one. As trading days arrive, picks are judged by the entry and the barriers that ' +
      'the models learn from: `definition`. A pick counts if it is of the last day of its dataset version ' +
      'and no later day was served before it was recorded. Other picks are `history` and excluded from ' +
      'all figures. `daily` covers the runs that the operator makes with the defaults on every new ' +
      'trading day, and is the same for all keys. `own` covers only the runs of the calling key. A model ' +
      'without levels (`confluence_filter`) is judged by a target of 10 % and a stop of 5 % within 20 ' +
      'trading days. `recovery_v4` judges the positions of its caller, makes no picks and has no record.',
    answer: 'The record.',
  }),
];
