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

export const DateTime = (description: string) =>
  Type.String({ format: 'date-time', description, examples: ['2024-06-28T16:30:05.120+07:00'] });

/** A name for anything: printable, without spaces, of a length that no real one reaches. */
export const OpaqueId = (description: string, example: string) =>
  Type.String({ pattern: '^[!-~]{1,64}$', description, examples: [example] });

export const Params = (description: string) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, description });
