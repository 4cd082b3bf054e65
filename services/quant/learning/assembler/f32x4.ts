import type { FunctionCode } from './function-code.ts';
import { memoryAccess, vector } from './memory-access.ts';
import { f32x4Constant, type Value } from './value.ts';

export type F32x4Operand = Value<'v128'> | number;

/** Four 32-bit floats at a time. A plain number stands for four of it, rounded to 32 bits. */
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

  /** Four times the one float at an address. */
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

  min(a: F32x4Operand, b: F32x4Operand): Value<'v128'> {
    return this.#binary(232, a, b);
  }

  max(a: F32x4Operand, b: F32x4Operand): Value<'v128'> {
    return this.#binary(233, a, b);
  }

  /** The nearest whole number, ties to the even one. */
  nearest(a: Value<'v128'>): Value<'v128'> {
    return this.#code.compute('v128', vector(106), a);
  }

  /** Towards zero, clamped to what 32 bits hold. */
  toI32x4(a: Value<'v128'>): Value<'v128'> {
    return this.#code.compute('v128', vector(248), a);
  }

  fromI32x4(a: Value<'v128'>): Value<'v128'> {
    return this.#code.compute('v128', vector(250), a);
  }

  #binary(number: number, a: F32x4Operand, b: F32x4Operand): Value<'v128'> {
    return this.#code.compute('v128', vector(number), operand(a), operand(b));
  }
}

function operand(value: F32x4Operand): Value<'v128'> {
  return typeof value === 'number' ? f32x4Constant(value) : value;
}
