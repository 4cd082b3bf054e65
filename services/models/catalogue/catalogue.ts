import type { Parameter as ParameterMessage } from '#proto/saring/models/v1/catalogue.ts';
import type { Model } from '#screens/model.ts';
import { TRADING_DAY, type Parameter } from '#screens/parameters.ts';
import { MODELS } from '#screens/registry.ts';
import { ServiceError } from '#shared/service-error.ts';

const BY_ID = new Map(MODELS.map((model) => [model.id, model]));

/** @throws ServiceError model_not_found for an id that is not published. */
export function modelOf(id: string): Model {
  const model = BY_ID.get(id);
  if (!model) throw new ServiceError('model_not_found', 'There is no such model.');
  return model;
}

export type ParameterType = 'integer' | 'float' | 'boolean' | 'string' | 'date' | 'array';

/** What the contract calls the type of a parameter. */
export function typeOf({ type, format }: Parameter): ParameterType {
  if (format === TRADING_DAY) return 'date';
  return type === 'number' ? 'float' : type;
}

/** A parameter as the contract's parameter schema lists it. */
export function parameterEntry(parameter: Parameter): ParameterMessage {
  const { default: value, minimum: min, maximum: max, enum: options = [], description } = parameter;
  return { type: typeOf(parameter), default: value, min, max, options: [...options], description };
}
