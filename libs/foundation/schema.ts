import Type, { type Static, type TSchema, type TSchemaOptions } from 'typebox';

/** Schemas that the responses of all services share. */

export { named, nameOf } from './schema-name.ts';

export function nullable<S extends TSchema>(schema: S, description?: string) {
  return Type.Unsafe<Static<S> | null>({
    anyOf: [schema, { type: 'null' }],
    ...(description && { description }),
  });
}

/** One of a fixed set of words. */
export function oneOf<Word extends string>(words: readonly Word[], options: TSchemaOptions = {}) {
  return Type.Unsafe<Word>({ type: 'string', enum: [...words], ...options });
}

export const Day = (description: string) =>
  Type.String({ format: 'date', description, examples: ['2024-06-28'] });

export const DatasetVersion = Type.String({
  description:
    'Dataset version that the response was computed from. Versions of a generated market begin with ' +
    '`synthetic-`.',
  examples: ['synthetic-20240628-1'],
});

/** The origin of the broker rows behind a response. */
export const BrokerData = oneOf(['none', 'real', 'synthetic'], {
  description:
    'Origin of the broker rows behind this response: `none` if nothing in it is based on broker rows, ' +
    '`real`, or `synthetic`: generated to fit the day’s totals. Show `synthetic` rows as such, because no ' +
    'real broker made these trades.',
});
