import type { Explanation, Parameter as ParameterMessage } from '#proto/saring/models/v1/catalogue.ts';
import type { Model } from '#models/model/model.ts';
import { TRADING_DAY, type Item, type Parameter } from '#models/inputs/parameters.ts';
import { MODELS } from '#models/registry.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import type { Language } from '#foundation/text/languages.ts';

const BY_ID = new Map(MODELS.map((model) => [model.id, model]));

/** @throws ServiceError model_not_found for an unknown id. */
export function modelOf(id: string): Model {
  const model = BY_ID.get(id);
  if (!model) throw new ServiceError('model_not_found', 'There is no such model.');
  return model;
}

export type ParameterType = 'integer' | 'float' | 'boolean' | 'string' | 'date' | 'array';

/** The type of a parameter as the API contract names it. */
export function typeOf({ type, format }: Parameter): ParameterType {
  if (format === TRADING_DAY) return 'date';
  return type === 'number' ? 'float' : type;
}

/** A parameter in the form of the API contract's parameter schema. */
export function parameterEntry(parameter: Parameter, language: Language): ParameterMessage {
  const { default: value, minimum: min, maximum: max, enum: options = [], label, meaning } = parameter;
  const { items, maxItems: max_items } = parameter;
  return {
    type: typeOf(parameter),
    default: value,
    min,
    max,
    options: [...options],
    label: label.in[language],
    description: meaning.in[language],
    items: items && itemSchema(items),
    max_items,
  };
}

export function explanationOf({ explanation: { what, when, how } }: Model, language: Language): Explanation {
  return { what: what.in[language], when: when.in[language], how: how.in[language] };
}

/** An item as JSON Schema, without the keywords that only error messages use. */
function itemSchema({ mistake: _, notExactlyOne: __, properties, ...schema }: Item): Record<string, unknown> {
  if (!properties) return schema;
  const members = Object.entries(properties).map(([name, member]) => [name, itemSchema(member)] as const);
  return { ...schema, properties: Object.fromEntries(members) };
}
