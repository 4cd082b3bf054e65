import Type, { type TProperties } from 'typebox';

export { Day, nullable, oneOf } from '#shared/schema.ts';

/** An object that allows no other members: what clients send. */
export function closed<P extends TProperties>(properties: P) {
  return Type.Object(properties, { additionalProperties: false });
}

/** A whole number between bounds, with what is taken when it is left out. */
export function bounded(min: number, max: number, byDefault: number, description: string) {
  return Type.Integer({ minimum: min, maximum: max, default: byDefault, description });
}
