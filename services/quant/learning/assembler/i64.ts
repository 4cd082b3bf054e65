import type { FunctionCode } from './function-code.ts';
import { memoryAccess } from './memory-access.ts';
import { i64Constant, type Value } from './value.ts';

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

  /** A 32-bit number, its sign extended. */
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
