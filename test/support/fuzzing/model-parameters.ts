import fc from 'fast-check';
import type { Rest } from '../rest.ts';
import type { JsonSchema } from './json-schema.ts';
import type { MarketValues, NamedValues } from './market-values.ts';
import { valuesOf } from './valid-requests.ts';

/** A published model as its own parameter schema declares it. */
export interface RunnableModel {
  id: string;
  views: string[];
  params: Record<string, JsonSchema>;
}

/** Parameters by name, their values as JSON text. */
export type ParamTexts = Record<string, string>;

interface Parameter {
  type: 'integer' | 'float' | 'boolean' | 'string' | 'date' | 'array';
  min?: number;
  max?: number;
  options?: (string | number)[];
}

/** The contract says so in words alone. */
const WITH_COMPACT_VIEW = ['model_f_combined', 'recovery_v4'];

export async function runnableModels(rest: Rest): Promise<RunnableModel[]> {
  const { body: catalogue } = await rest.get<{ models: { id: string }[] }>('/api/v1/models');
  return Promise.all(
    catalogue.models.map(async ({ id }) => {
      const path = `/api/v1/models/${id}/params`;
      const { params } = (await rest.get<{ params: Record<string, Parameter> }>(path)).body;
      const schemas = Object.entries(params).map(([name, parameter]) => [name, schemaOf(parameter)] as const);
      const views = WITH_COMPACT_VIEW.includes(id) ? ['full', 'compact'] : ['full'];
      return { id, views, params: Object.fromEntries(schemas) };
    }),
  );
}

/** The contract's mapping of parameter types to JSON. */
function schemaOf({ type, min, max, options }: Parameter): JsonSchema {
  return {
    type: JSON_TYPES[type],
    ...(type === 'date' && { format: 'date' }),
    ...(min !== undefined && { minimum: min }),
    ...(max !== undefined && { maximum: max }),
    ...(options && { enum: options }),
  };
}

const JSON_TYPES = {
  ...{ integer: 'integer', float: 'number', boolean: 'boolean' },
  ...{ string: 'string', date: 'string', array: 'array' },
};

/** Values of the parameters of which the contract says in words what they hold. */
export const parameterValues =
  ({ days, tickers }: MarketValues): NamedValues =>
  (name) => {
    switch (name) {
      case 'analysis_date':
        return fc.constantFrom('today', ...days);
      case 'cycles':
        return fc.array(fc.integer({ min: 1, max: 720 }), { maxLength: 10 });
      case 'positions':
        return fc.array(position(tickers), { maxLength: 5 });
      default:
        return undefined;
    }
  };

function position(tickers: string[]): fc.Arbitrary<object> {
  const ticker = fc.oneof(fc.mixedCase(fc.constantFrom(...tickers)), fc.stringMatching(/^[A-Z0-9-]{1,12}$/));
  return fc.oneof(
    fc.record({ ticker, pnl_input: fc.double({ min: -99, max: 100_000, noNaN: true }) }),
    fc.record({ ticker, avg_price_input: fc.double({ min: 0.01, max: 1e9, noNaN: true }) }),
  );
}

/** Any of the parameters as JSON texts, with values that its schema allows. */
export function validParams(model: RunnableModel, named: NamedValues): fc.Arbitrary<ParamTexts> {
  const values = Object.entries(model.params).map(
    ([name, schema]) => [name, valuesOf(name, schema, named).map((value) => JSON.stringify(value))] as const,
  );
  return fc.record(Object.fromEntries(values), { requiredKeys: [] }) as fc.Arbitrary<ParamTexts>;
}

export function paramsText(params: ParamTexts): string {
  return `{${Object.entries(params)
    .map(([name, text]) => `${JSON.stringify(name)}:${text}`)
    .join(',')}}`;
}
