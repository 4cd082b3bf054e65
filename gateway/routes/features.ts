import Type from 'typebox';
import { FEATURES, wordsOf } from '#screens/reasons/feature-words.ts';
import { defineRoute } from '../routing/define-route.ts';
import { named } from '../schemas/named.ts';

const FeatureNames = named(
  'FeatureNames',
  Type.Object({
    features: Type.Array(
      Type.Object({
        name: Type.String({
          description: 'As in contributions and in `feature_names` of `diag.model`.',
          examples: ['rsi_14'],
        }),
        id: Type.String({ description: 'What it is called in Bahasa Indonesia.', examples: ['RSI 14 hari'] }),
        en: Type.String({ description: 'What it is called in English.', examples: ['The 14-day RSI'] }),
      }),
      { description: 'One of each feature that any model looks at.' },
    ),
  }),
);

export const featureRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/v1/features',
    operationId: 'listFeatures',
    tag: 'Models',
    summary: 'What the features of models are called',
    description: 'The words for the names in `contributions`, in both languages.',
    access: 'models:read',
    responses: { 200: { description: 'Every feature.', schema: FeatureNames } },
    errors: [],
    handler: () => ({
      features: FEATURES.map((name) => ({ name, id: wordsOf(name).id, en: wordsOf(name).en })),
    }),
  }),
];
