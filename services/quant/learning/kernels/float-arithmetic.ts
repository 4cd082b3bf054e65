import type { Assembler } from '../assembler/assembler.ts';
import type { Value } from '../assembler/value.ts';

/**
 * 32-bit float arithmetic over something that holds such floats. A formula written against it can be read twice: as
 * vector instructions by {@link vectorArithmetic} and as plain numbers by {@link plainArithmetic}, with the same
 * bits, for every operation here is rounded as IEEE 754 says.
 */
export interface FloatArithmetic<T> {
  add(a: T | number, b: T | number): T;
  sub(a: T | number, b: T | number): T;
  mul(a: T | number, b: T | number): T;
  div(a: T | number, b: T | number): T;
  min(a: T | number, b: T | number): T;
  max(a: T | number, b: T | number): T;
  /** The nearest whole number, ties to the even one. */
  nearest(a: T): T;
  /** a * 2^n for a whole number n and a result that is neither subnormal nor infinite. */
  timesPowerOfTwo(a: T, n: T): T;
  /** Of a positive normal number: its [m, n] with m * 2^n = a and m between the roots of 1/2 and of 2. */
  splitAtRoots(a: T): [m: T, n: T];
}

const MANTISSA_BITS = 23;
/** Bits of the float nearest to the square root of 1/2. */
const ROOT_OF_HALF = 0x3f3504f3;

export function vectorArithmetic({ f32x4, i32x4, i32 }: Assembler): FloatArithmetic<Value<'v128'>> {
  return {
    add: (a, b) => f32x4.add(a, b),
    sub: (a, b) => f32x4.sub(a, b),
    mul: (a, b) => f32x4.mul(a, b),
    div: (a, b) => f32x4.div(a, b),
    min: (a, b) => f32x4.min(a, b),
    max: (a, b) => f32x4.max(a, b),
    nearest: (a) => f32x4.nearest(a),
    timesPowerOfTwo: (a, n) => i32x4.add(a, i32x4.shiftLeft(f32x4.toI32x4(n), i32.constant(MANTISSA_BITS))),
    splitAtRoots: (a) => {
      const n = i32x4.shiftRightSigned(i32x4.sub(a, ROOT_OF_HALF), i32.constant(MANTISSA_BITS));
      const m = i32x4.sub(a, i32x4.shiftLeft(n, i32.constant(MANTISSA_BITS)));
      return [m, f32x4.fromI32x4(n)];
    },
  };
}

const scratch = new Float32Array(1);
const scratchBits = new Int32Array(scratch.buffer);
const round = Math.fround;

export const plainArithmetic: FloatArithmetic<number> = {
  add: (a, b) => round(round(a) + round(b)),
  sub: (a, b) => round(round(a) - round(b)),
  mul: (a, b) => round(round(a) * round(b)),
  div: (a, b) => round(round(a) / round(b)),
  min: (a, b) => Math.min(round(a), round(b)),
  max: (a, b) => Math.max(round(a), round(b)),
  nearest: (a) => {
    const below = Math.floor(a);
    if (a - below !== 0.5) return Math.round(a);
    return below % 2 === 0 ? below : -(-1 - below); // below + 1, but -0 for -1 as IEEE 754 has it
  },
  timesPowerOfTwo: (a, n) => {
    scratch[0] = a;
    scratchBits[0] = scratchBits[0]! + (n << MANTISSA_BITS);
    return scratch[0];
  },
  splitAtRoots: (a) => {
    scratch[0] = a;
    const n = (scratchBits[0]! - ROOT_OF_HALF) >> MANTISSA_BITS;
    scratchBits[0] = scratchBits[0]! - (n << MANTISSA_BITS);
    return [scratch[0], n];
  },
};
