import { memoryAccess, i32Constant, i64Constant, type FunctionCode, type Value } from './function-code.ts';

const SELECT = 0x1b;

type I32Operand = Value<'i32'> | number;

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

  /** The smaller operand, compared as unsigned numbers. */
  min(a: Value<'i32'>, b: number): Value<'i32'> {
    return this.#code.compute('i32', [SELECT], a, i32Operand(b), this.lessUnsigned(a, b));
  }

  /** Rounds up to a multiple of `powerOfTwo`. */
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
    return this.#code.compute('i32', [opcode], i32Operand(a), i32Operand(b));
  }
}

function i32Operand(value: I32Operand): Value<'i32'> {
  return typeof value === 'number' ? i32Constant(value) : value;
}

/** 64-bit integers: the packed sums of a histogram. */
export class I64 {
  readonly #code: FunctionCode;

  constructor(code: FunctionCode) {
    this.#code = code;
  }

  add(a: Value<'i64'>, b: Value<'i64'>): Value<'i64'> {
    return this.#code.compute('i64', [0x7c], a, b);
  }

  and(a: Value<'i64'>, b: Value<'i64'>): Value<'i64'> {
    return this.#code.compute('i64', [0x83], a, b);
  }

  shiftLeft(a: Value<'i64'>, bits: Value<'i64'>): Value<'i64'> {
    return this.#code.compute('i64', [0x86], a, bits);
  }

  shiftRightSigned(a: Value<'i64'>, bits: Value<'i64'>): Value<'i64'> {
    return this.#code.compute('i64', [0x87], a, bits);
  }

  constant(value: number): Value<'i64'> {
    return i64Constant(value);
  }

  /** Loads a 32-bit number and extends its sign. */
  loadI32(address: Value<'i32'>, offset = 0): Value<'i64'> {
    return this.#code.compute('i64', memoryAccess([0x34], offset), address);
  }

  load(address: Value<'i32'>, offset = 0): Value<'i64'> {
    return this.#code.compute('i64', memoryAccess([0x29], offset), address);
  }

  store(address: Value<'i32'>, value: Value<'i64'>, offset = 0): void {
    this.#code.perform(memoryAccess([0x37], offset), address, value);
  }
}

/** Single 32-bit floats: scores that are updated one at a time. */
export class F32 {
  readonly #code: FunctionCode;

  constructor(code: FunctionCode) {
    this.#code = code;
  }

  add(a: Value<'f32'>, b: Value<'f32'>): Value<'f32'> {
    return this.#code.compute('f32', [0x92], a, b);
  }

  load(address: Value<'i32'>, offset = 0): Value<'f32'> {
    return this.#code.compute('f32', memoryAccess([0x2a], offset), address);
  }

  store(address: Value<'i32'>, value: Value<'f32'>, offset = 0): void {
    this.#code.perform(memoryAccess([0x38], offset), address, value);
  }
}
