import type { FunctionCode } from './function-code.ts';
import { memoryAccess } from './memory-access.ts';
import type { Value } from './value.ts';

/** Single 32-bit floats: scores that are added to one by one. */
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
