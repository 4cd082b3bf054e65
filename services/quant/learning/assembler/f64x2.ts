import type { FunctionCode } from './function-code.ts';
import { vector } from './memory-access.ts';
import type { Value } from './value.ts';

const F64_ADD = 0xa0;

/** Two 64-bit floats at a time: sums that must not lose the digits of their 32-bit terms. */
export class F64x2 {
  readonly #code: FunctionCode;

  constructor(code: FunctionCode) {
    this.#code = code;
  }

  add(a: Value<'v128'>, b: Value<'v128'>): Value<'v128'> {
    return this.#code.compute('v128', vector(240), a, b);
  }

  /** The first two of four 32-bit floats. */
  fromLowF32x4(a: Value<'v128'>): Value<'v128'> {
    return this.#code.compute('v128', vector(95), a);
  }

  /** Sum of both. */
  sum(a: Value<'v128'>): Value<'f64'> {
    const first = this.#code.compute('f64', [...vector(33), 0], a);
    const second = this.#code.compute('f64', [...vector(33), 1], a);
    return this.#code.compute('f64', [F64_ADD], first, second);
  }
}
