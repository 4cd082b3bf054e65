import type { FunctionCode } from './function-code.ts';
import { memoryAccess } from './memory-access.ts';
import { i32Constant, type Value } from './value.ts';

const SELECT = 0x1b;

export type I32Operand = Value<'i32'> | number;

/** 32-bit integers: addresses, row numbers and flags. A plain number stands for a constant. */
export class I32 {
  readonly #code: FunctionCode;

  constructor(code: FunctionCode) {
    this.#code = code;
  }

  constant(value: number): Value<'i32'> {
    return i32Constant(value);
  }

  add(a: I32Operand, b: I32Operand): Value<'i32'> {
    return this.#binary(0x6a, a, b);
  }

  sub(a: I32Operand, b: I32Operand): Value<'i32'> {
    return this.#binary(0x6b, a, b);
  }

  mul(a: I32Operand, b: I32Operand): Value<'i32'> {
    return this.#binary(0x6c, a, b);
  }

  and(a: I32Operand, b: I32Operand): Value<'i32'> {
    return this.#binary(0x71, a, b);
  }

  xor(a: I32Operand, b: I32Operand): Value<'i32'> {
    return this.#binary(0x73, a, b);
  }

  shiftLeft(a: I32Operand, bits: I32Operand): Value<'i32'> {
    return this.#binary(0x74, a, bits);
  }

  shiftRightUnsigned(a: I32Operand, bits: I32Operand): Value<'i32'> {
    return this.#binary(0x76, a, bits);
  }

  /** 1 when a < b as unsigned numbers, 0 otherwise. */
  lessUnsigned(a: I32Operand, b: I32Operand): Value<'i32'> {
    return this.#binary(0x49, a, b);
  }

  /** 1 when a > b as unsigned numbers, 0 otherwise. */
  greaterUnsigned(a: I32Operand, b: I32Operand): Value<'i32'> {
    return this.#binary(0x4b, a, b);
  }

  /** The smaller one as unsigned numbers. */
  min(a: Value<'i32'>, b: number): Value<'i32'> {
    return this.#code.compute('i32', [SELECT], a, operand(b), this.lessUnsigned(a, b));
  }

  /** The next multiple of a power of two. */
  roundUp(a: Value<'i32'>, powerOfTwo: number): Value<'i32'> {
    return this.and(this.add(a, powerOfTwo - 1), -powerOfTwo);
  }

  load(address: Value<'i32'>, offset = 0): Value<'i32'> {
    return this.#code.compute('i32', memoryAccess([0x28], offset), address);
  }

  loadByte(address: Value<'i32'>, offset = 0): Value<'i32'> {
    return this.#code.compute('i32', memoryAccess([0x2d], offset), address);
  }

  store(address: Value<'i32'>, value: Value<'i32'>, offset = 0): void {
    this.#code.perform(memoryAccess([0x36], offset), address, value);
  }

  #binary(opcode: number, a: I32Operand, b: I32Operand): Value<'i32'> {
    return this.#code.compute('i32', [opcode], operand(a), operand(b));
  }
}

function operand(value: I32Operand): Value<'i32'> {
  return typeof value === 'number' ? i32Constant(value) : value;
}
