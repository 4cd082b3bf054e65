import type { FunctionCode } from './function-code.ts';
import { vector } from './memory-access.ts';
import type { Value } from './value.ts';

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
