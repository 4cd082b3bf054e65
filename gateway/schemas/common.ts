import Type, { type TProperties } from 'typebox';

export { Day, nullable, oneOf } from '#shared/schema.ts';

/** An object schema without additional members, for what clients send. */
export function closed<P extends TProperties>(properties: P) {
  return Type.Object(properties, { additionalProperties: false });
}

/** A whole number between bounds, with a default. */
export function bounded(min: number, max: number, byDefault: number, description: string) {
  return Type.Integer({ minimum: min, maximum: max, default: byDefault, description });
}
