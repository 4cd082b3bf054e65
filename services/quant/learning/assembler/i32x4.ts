import type { FunctionCode } from './function-code.ts';
import { memoryAccess, vector } from './memory-access.ts';
import { i32x4Constant, type Value } from './value.ts';

export type I32x4Operand = Value<'v128'> | number;

/** Four 32-bit integers at a time. A plain number stands for four of it. */
export class I32x4 {
  readonly #code: FunctionCode;

  constructor(code: FunctionCode) {
    this.#code = code;
  }

  constant(value: number): Value<'v128'> {
    return i32x4Constant(value);
  }

  load(address: Value<'i32'>, offset = 0): Value<'v128'> {
    return this.#code.compute('v128', memoryAccess(vector(0), offset), address);
  }

  store(address: Value<'i32'>, value: Value<'v128'>, offset = 0): void {
    this.#code.perform(memoryAccess(vector(11), offset), address, value);
  }

  splat(value: Value<'i32'>): Value<'v128'> {
    return this.#code.compute('v128', vector(17), value);
  }

  add(a: I32x4Operand, b: I32x4Operand): Value<'v128'> {
    return this.#binary(174, a, b);
  }

  sub(a: I32x4Operand, b: I32x4Operand): Value<'v128'> {
    return this.#binary(177, a, b);
  }

  /** All bits set where a equals b, none elsewhere. */
  equal(a: I32x4Operand, b: I32x4Operand): Value<'v128'> {
    return this.#binary(55, a, b);
  }

  and(a: I32x4Operand, b: I32x4Operand): Value<'v128'> {
    return this.#binary(78, a, b);
  }

  shiftLeft(a: Value<'v128'>, bits: Value<'i32'>): Value<'v128'> {
    return this.#code.compute('v128', vector(171), a, bits);
  }

  shiftRightSigned(a: Value<'v128'>, bits: Value<'i32'>): Value<'v128'> {
    return this.#code.compute('v128', vector(172), a, bits);
  }

  /** Bits of `a` where `mask` has ones, of `b` where it has zeros. */
  select(mask: Value<'v128'>, a: Value<'v128'>, b: Value<'v128'>): Value<'v128'> {
    return this.#code.compute('v128', vector(82), a, b, mask);
  }

  /** Lanes 0 and 1 of both, taken in turn: a0, b0, a1, b1. */
  interleaveLow(a: Value<'v128'>, b: Value<'v128'>): Value<'v128'> {
    return this.#shuffle(a, b, [0, 4, 1, 5]);
  }

  /** Lanes 2 and 3 of both, taken in turn: a2, b2, a3, b3. */
  interleaveHigh(a: Value<'v128'>, b: Value<'v128'>): Value<'v128'> {
    return this.#shuffle(a, b, [2, 6, 3, 7]);
  }

  /** Lanes 2 and 3 in the place of 0 and 1. */
  upperHalf(a: Value<'v128'>): Value<'v128'> {
    return this.#shuffle(a, a, [2, 3, 2, 3]);
  }

  #shuffle(a: Value<'v128'>, b: Value<'v128'>, words: readonly number[]): Value<'v128'> {
    const bytes = words.flatMap((word) => [4 * word, 4 * word + 1, 4 * word + 2, 4 * word + 3]);
    return this.#code.compute('v128', [...vector(13), ...bytes], a, b);
  }

  #binary(number: number, a: I32x4Operand, b: I32x4Operand): Value<'v128'> {
    return this.#code.compute('v128', vector(number), operand(a), operand(b));
  }
}

function operand(value: I32x4Operand): Value<'v128'> {
  return typeof value === 'number' ? i32x4Constant(value) : value;
}
