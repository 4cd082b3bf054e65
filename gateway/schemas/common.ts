import Type, { type TProperties } from 'typebox';
import { messageNamed } from '#platform/wire/descriptors.ts';
import { responseSchema } from '#platform/wire/message-schema.ts';

export { Day, nullable, oneOf } from '#foundation/schema.ts';

/** An object schema without additional members, for what clients send. */
export function closed<P extends TProperties>(properties: P) {
  return Type.Object(properties, { additionalProperties: false });
}

/** A whole number between bounds, with a default. */
export function bounded(min: number, max: number, byDefault: number, description: string) {
  return Type.Integer({ minimum: min, maximum: max, default: byDefault, description });
}

/** Whether the served market lacks trading days, since when and why. */
export const Freshness = responseSchema(messageNamed('saring.market_data.v1.Freshness'));
