import Type from 'typebox';
import { oneOf } from './common.ts';
import { named } from './named.ts';

const catalogueFields = {
  id: Type.String({ description: 'Used wherever a path takes {model_id}.', examples: ['confluence_filter'] }),
  name: Type.String({ description: 'Display name.', examples: ['Model D: Confluence Filter'] }),
  category: oneOf(['swing', 'recovery']),
  version: Type.String({ description: 'Version of the method.' }),
};

export const Model = named('Model', Type.Object(catalogueFields, { description: 'Catalogue entry.' }));

export const ModelList = named('ModelList', Type.Object({ models: Type.Array(Model) }));

const Parameter = named(
  'Parameter',
  Type.Object(
    {
      type: oneOf(['integer', 'float', 'boolean', 'string', 'date', 'array'], {
        description:
          'integer and float are JSON numbers, boolean is a JSON boolean, date is YYYY-MM-DD or the literal ' +
          '`today`, array is a JSON array.',
      }),
      default: Type.Unsafe<unknown>({ description: 'Used when the parameter is omitted.' }),
      min: Type.Optional(Type.Number({ description: 'Smallest value allowed; absent where none is.' })),
      max: Type.Optional(Type.Number({ description: 'Largest value allowed; absent where none is.' })),
      options: Type.Optional(
        Type.Array(Type.Unknown(), { description: 'The values allowed; absent where the set is open.' }),
      ),
      items: Type.Optional(
        Type.Unsafe<Record<string, unknown>>({
          type: 'object',
          additionalProperties: true,
          description: 'What every item of an array must be, as JSON Schema with its bounds; only of arrays.',
        }),
      ),
      max_items: Type.Optional(Type.Integer({ description: 'Most items of an array; only of arrays.' })),
      description: Type.Optional(Type.String({ description: 'Display text in Bahasa Indonesia.' })),
    },
    { description: 'One parameter of a model. Bounds and options are enforced.' },
  ),
);

const params = Type.Record(Type.String(), Parameter, { description: 'Parameters by name.' });

export const ModelDetail = named(
  'ModelDetail',
  Type.Object({
    ...catalogueFields,
    params,
    explanation: Type.Object(
      {
        what: Type.String({ description: 'What the model does.' }),
        when: Type.String({ description: 'When it suits.' }),
        how: Type.String({ description: 'How to set it.' }),
      },
      { description: 'The model in plain words, in Bahasa Indonesia.' },
    ),
  }),
);

export const ModelParams = named(
  'ModelParams',
  Type.Object({ model_id: Type.String({ description: 'Model id.' }), params }),
);
