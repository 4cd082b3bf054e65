import Type from 'typebox';
import type { GetModelResponse } from '#proto/saring/models/v1/catalogue.ts';
import { jsonOf } from '#platform/wire/message-json.ts';
import { responseField } from '#platform/wire/message-schema.ts';
import { named } from '#foundation/schema.ts';
import { JsonText } from '../responses/send-json.ts';
import { defineRoute } from '../routing/define-route.ts';
import { methodOf, pathSchema } from '../declarations/call-schemas.ts';
import { factsOf } from '../declarations/route-facts.ts';
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
    client: 'models.features',
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

export const modelRoutes = [
  defineRoute({
    ...factsOf(['catalogue', 'getModel'], 'getModelParams'),
    hasSentences: true,
    params: modelIdParams,
    responses: { 200: { description: 'The parameter schema.', schema: ModelParams } },
    handler: async ({ params: { model_id } }, call, { services }) => {
      const { language } = call;
      const found = await services.catalogue.getModel({ model_id, language }, call);
      const response = { model_id: found.model?.id ?? model_id, params: modelJson(found).params };
      return new JsonText(JSON.stringify(response), undefined, language);
    },
  }),
];
