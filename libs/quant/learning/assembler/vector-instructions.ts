import {
  memoryAccess,
  vector,
  i32x4Constant,
  f32x4Constant,
  type FunctionCode,
  type Value,
} from './function-code.ts';

type I32x4Operand = Value<'v128'> | number;

/** Four 32-bit integers at a time. A plain number stands for four copies of itself. */
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

  shiftLeft(a: Value<'v128'>, bits: Value<'i32'>): Value<'v128'> {
    return this.#code.compute('v128', vector(171), a, bits);
  }

  shiftRightSigned(a: Value<'v128'>, bits: Value<'i32'>): Value<'v128'> {
    return this.#code.compute('v128', vector(172), a, bits);
  }

  /** Bits of `a` where `mask` is 1, bits of `b` where it is 0. */
  select(mask: Value<'v128'>, a: Value<'v128'>, b: Value<'v128'>): Value<'v128'> {
    return this.#code.compute('v128', vector(82), a, b, mask);
  }

  /** Moves lanes 2 and 3 to lanes 0 and 1. */
  upperHalf(a: Value<'v128'>): Value<'v128'> {
    return this.interleave(a, a, 8, 1);
  }

  /** Units of so many bytes of a and b in turn, from the lower half of each or the upper one. */
  interleave(a: Value<'v128'>, b: Value<'v128'>, unit: 1 | 2 | 4 | 8, half: 0 | 1): Value<'v128'> {
    const ofA = Array.from({ length: 8 / unit }, (_, i) => 8 * half + i * unit);
    const units = ofA.flatMap((byte) => [byte, 16 + byte]);
    const bytes = units.flatMap((byte) => Array.from({ length: unit }, (_, i) => byte + i));
    return this.#code.compute('v128', [...vector(13), ...bytes], a, b);
  }

  #binary(number: number, a: I32x4Operand, b: I32x4Operand): Value<'v128'> {
    return this.#code.compute('v128', vector(number), i32x4Operand(a), i32x4Operand(b));
  }
}

function i32x4Operand(value: I32x4Operand): Value<'v128'> {
  return typeof value === 'number' ? i32x4Constant(value) : value;
}

/** Sixteen unsigned bytes at a time. */
export class U8x16 {
  readonly #code: FunctionCode;

  constructor(code: FunctionCode) {
    this.#code = code;
  }

  splat(value: Value<'i32'>): Value<'v128'> {
    return this.#code.compute('v128', vector(15), value);
  }

  /** All bits set where a <= b, none elsewhere. */
  atMost(a: Value<'v128'>, b: Value<'v128'>): Value<'v128'> {
    return this.#code.compute('v128', vector(42), a, b);
  }
}

type F32x4Operand = Value<'v128'> | number;

/** Four 32-bit floats at a time. A plain number stands for four copies of itself, rounded to 32 bits. */
export class F32x4 {
  readonly #code: FunctionCode;

  constructor(code: FunctionCode) {
    this.#code = code;
  }

  load(address: Value<'i32'>, offset = 0): Value<'v128'> {
    return this.#code.compute('v128', memoryAccess(vector(0), offset), address);
  }

  store(address: Value<'i32'>, value: Value<'v128'>, offset = 0): void {
    this.#code.perform(memoryAccess(vector(11), offset), address, value);
  }

  /** Loads one float into all four lanes. */
  loadSplat(address: Value<'i32'>, offset = 0): Value<'v128'> {
    return this.#code.compute('v128', memoryAccess(vector(9), offset), address);
  }

  add(a: F32x4Operand, b: F32x4Operand): Value<'v128'> {
    return this.#binary(228, a, b);
  }

  sub(a: F32x4Operand, b: F32x4Operand): Value<'v128'> {
    return this.#binary(229, a, b);
  }

  mul(a: F32x4Operand, b: F32x4Operand): Value<'v128'> {
    return this.#binary(230, a, b);
  }

  div(a: F32x4Operand, b: F32x4Operand): Value<'v128'> {
    return this.#binary(231, a, b);
  }

  /** b where it is lower, a otherwise. A single instruction, unlike IEEE's minimum with its rules for NaN and -0. */
  min(a: F32x4Operand, b: F32x4Operand): Value<'v128'> {
    return this.#binary(234, a, b);
  }

  /** b where it is higher, a otherwise. */
  max(a: F32x4Operand, b: F32x4Operand): Value<'v128'> {
    return this.#binary(235, a, b);
  }

  /** The nearest integer, ties to even. */
  nearest(a: Value<'v128'>): Value<'v128'> {
    return this.#code.compute('v128', vector(106), a);
  }

  /** Rounds towards zero and clamps to the range of 32 bits. */
  toI32x4(a: Value<'v128'>): Value<'v128'> {
    return this.#code.compute('v128', vector(248), a);
  }

  fromI32x4(a: Value<'v128'>): Value<'v128'> {
    return this.#code.compute('v128', vector(250), a);
  }

  #binary(number: number, a: F32x4Operand, b: F32x4Operand): Value<'v128'> {
    return this.#code.compute('v128', vector(number), f32x4Operand(a), f32x4Operand(b));
  }
}

function f32x4Operand(value: F32x4Operand): Value<'v128'> {
  return typeof value === 'number' ? f32x4Constant(value) : value;
}

const F64_ADD = 0xa0;

/** Two 64-bit floats at a time: sums that must keep the digits of their 32-bit terms. */
export class F64x2 {
  readonly #code: FunctionCode;

  constructor(code: FunctionCode) {
    this.#code = code;
  }

  add(a: Value<'v128'>, b: Value<'v128'>): Value<'v128'> {
    return this.#code.compute('v128', vector(240), a, b);
  }

  /** Converts the first two of four 32-bit floats. */
  fromLowF32x4(a: Value<'v128'>): Value<'v128'> {
    return this.#code.compute('v128', vector(95), a);
  }

  /** Sum of both lanes. */
  sum(a: Value<'v128'>): Value<'f64'> {
    const first = this.#code.compute('f64', [...vector(33), 0], a);
    const second = this.#code.compute('f64', [...vector(33), 1], a);
    return this.#code.compute('f64', [F64_ADD], first, second);
  }
}
