import { signedLeb, unsignedLeb } from './leb128.ts';

export type ValueType = 'i32' | 'i64' | 'f32' | 'f64' | 'v128';

/** Encoding of value types (core specification, 5.3.1). */
export const TYPE_CODES: { readonly [K in ValueType]: number } = {
  i32: 0x7f,
  i64: 0x7e,
  f32: 0x7d,
  f64: 0x7c,
  v128: 0x7b,
};

/** Something of a known type that one instruction puts on the stack: a local or a constant. */
export interface Value<T extends ValueType = ValueType> {
  readonly type: T;
  /** The instruction. */
  readonly push: readonly number[];
}

/** A local that may be assigned again. */
export interface Variable<T extends ValueType = ValueType> extends Value<T> {
  readonly local: number;
}

export function localValue<T extends ValueType>(type: T, local: number): Variable<T> {
  return { type, local, push: [0x20, ...unsignedLeb(local)] };
}

export function i32Constant(value: number): Value<'i32'> {
  return { type: 'i32', push: [0x41, ...signedLeb(value)] };
}

/** Of a number that 32 bits hold. */
export function i64Constant(value: number): Value<'i64'> {
  return { type: 'i64', push: [0x42, ...signedLeb(value)] };
}

/** Four equal 32-bit floats; `value` is rounded to one. */
export function f32x4Constant(value: number): Value<'v128'> {
  return lanes(new Uint8Array(Float32Array.of(value, value, value, value).buffer));
}

/** Four equal 32-bit integers. */
export function i32x4Constant(value: number): Value<'v128'> {
  return lanes(new Uint8Array(Int32Array.of(value, value, value, value).buffer));
}

function lanes(bytes: Uint8Array): Value<'v128'> {
  return { type: 'v128', push: [0xfd, 12, ...bytes] };
}
