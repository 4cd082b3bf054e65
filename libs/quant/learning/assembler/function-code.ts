/** Variable-length integers (LEB128) of the WebAssembly binary format (core specification, 5.2.2). */

export function unsignedLeb(value: number): number[] {
  const bytes: number[] = [];
  let rest = value >>> 0;
  while (rest > 0x7f) {
    bytes.push((rest & 0x7f) | 0x80);
    rest >>>= 7;
  }
  return [...bytes, rest];
}

/** Encodes a 32-bit number in two's complement. */
export function signedLeb(value: number): number[] {
  const bytes: number[] = [];
  let rest = value | 0;
  while (rest < -0x40 || rest > 0x3f) {
    bytes.push((rest & 0x7f) | 0x80);
    rest >>= 7;
  }
  return [...bytes, rest & 0x7f];
}

/**
 * A load or store instruction: opcode, alignment and constant offset. The alignment is a hint that changes no result. 0
 * promises no alignment, and no target platform is slower with it.
 */
export function memoryAccess(opcode: readonly number[], offset: number): number[] {
  return [...opcode, 0, ...unsignedLeb(offset)];
}

/** An instruction of the vector group: its prefix and number. */
export function vector(number: number): number[] {
  return [0xfd, ...unsignedLeb(number)];
}

export type ValueType = 'i32' | 'i64' | 'f32' | 'f64' | 'v128';

/** Encoding of value types (core specification, 5.3.1). */
export const TYPE_CODES: { readonly [K in ValueType]: number } = {
  i32: 0x7f,
  i64: 0x7e,
  f32: 0x7d,
  f64: 0x7c,
  v128: 0x7b,
};

/** A value of a known type that one instruction pushes onto the stack: a local or a constant. */
export interface Value<T extends ValueType = ValueType> {
  readonly type: T;
  /** The instruction. */
  readonly push: readonly number[];
}

/** A local that can be assigned again. */
interface Variable<T extends ValueType = ValueType> extends Value<T> {
  readonly local: number;
}

export function localValue<T extends ValueType>(type: T, local: number): Variable<T> {
  return { type, local, push: [0x20, ...unsignedLeb(local)] };
}

export function i32Constant(value: number): Value<'i32'> {
  return { type: 'i32', push: [0x41, ...signedLeb(value)] };
}

/** An i64 constant from a number that fits in 32 bits. */
export function i64Constant(value: number): Value<'i64'> {
  return { type: 'i64', push: [0x42, ...signedLeb(value)] };
}

/** Four equal 32-bit floats; `value` is rounded to 32 bits. */
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

const END = 0x0b;
const IF = 0x04;
const LOOP = 0x03;
const NO_RESULT = 0x40;
const BRANCH_IF = 0x0d;
const LOCAL_SET = 0x21;
const I32_ADD = 0x6a;
const I32_LESS_UNSIGNED = 0x49;

/**
 * Builds the body of one WebAssembly function.
 *
 * Every computed value gets its own local, so code reads like ordinary statements and a value can be used twice. The engine's
 * compiler works on values, not on locals, so locals cost nothing once the code is compiled.
 */
export class FunctionCode {
  readonly #parameterCount: number;
  readonly #locals: ValueType[] = [];
  readonly #bytes: number[] = [];

  constructor(parameterCount: number) {
    this.#parameterCount = parameterCount;
  }

  /** Runs an instruction on its operands and keeps the result. */
  compute<T extends ValueType>(
    type: T,
    instruction: readonly number[],
    ...operands: readonly Value[]
  ): Value<T> {
    this.perform(instruction, ...operands);
    return this.#keep(type);
  }

  /** Runs an instruction that leaves no result. */
  perform(instruction: readonly number[], ...operands: readonly Value[]): void {
    for (const operand of operands) this.#bytes.push(...operand.push);
    this.#bytes.push(...instruction);
  }

  variable<T extends ValueType>(initial: Value<T>): Variable<T> {
    this.#bytes.push(...initial.push);
    return this.#keep(initial.type);
  }

  assign<T extends ValueType>(variable: Variable<T>, value: Value<T>): void {
    this.#bytes.push(...value.push, LOCAL_SET, ...unsignedLeb(variable.local));
  }

  /** Runs `body` for i = from, from + step, … while i < to, unsigned; `to` - `from` must be a multiple of `step`. */
  loop(from: Value<'i32'>, to: Value<'i32'>, step: number, body: (i: Value<'i32'>) => void): void {
    const i = this.variable(from);
    this.perform([I32_LESS_UNSIGNED, IF, NO_RESULT, LOOP, NO_RESULT], i, to);
    body(i);
    this.assign(i, this.compute('i32', [I32_ADD], i, i32Constant(step)));
    this.perform([I32_LESS_UNSIGNED, BRANCH_IF, 0, END, END], i, to);
  }

  /** Encodes the function for the code section; `result` is its return value. */
  encode(result: Value | null): number[] {
    const locals = this.#locals.flatMap((type) => [1, TYPE_CODES[type]]);
    const body = [
      ...unsignedLeb(this.#locals.length),
      ...locals,
      ...this.#bytes,
      ...(result?.push ?? []),
      END,
    ];
    return [...unsignedLeb(body.length), ...body];
  }

  #keep<T extends ValueType>(type: T): Variable<T> {
    const value = localValue(type, this.#parameterCount + this.#locals.length);
    this.#locals.push(type);
    this.#bytes.push(LOCAL_SET, ...unsignedLeb(value.local));
    return value;
  }
}
