import type { Assembler } from '../assembler/module.ts';
import type { Value } from '../assembler/function-code.ts';

/**
 * 32-bit float arithmetic over some representation of such floats. A formula written against it works in two ways: as vector
 * instructions through {@link vectorArithmetic}, and as plain numbers through {@link plainArithmetic}. The results have the
 * same bits, because every operation here is rounded as IEEE 754 requires.
 */
export interface FloatArithmetic<T> {
  add(a: T | number, b: T | number): T;
  sub(a: T | number, b: T | number): T;
  mul(a: T | number, b: T | number): T;
  div(a: T | number, b: T | number): T;
  min(a: T | number, b: T | number): T;
  max(a: T | number, b: T | number): T;
  /** The nearest integer, ties to even. */
  nearest(a: T): T;
  /** a × 2^n for an integer n, when the result is neither subnormal nor infinite. */
  timesPowerOfTwo(a: T, n: T): T;
  /** For a positive normal number: [m, n] with m × 2^n = a and m between the square roots of 1/2 and 2. */
  splitAtRoots(a: T): [m: T, n: T];
}

const MANTISSA_BITS = 23;
/**
 * Adding this to a small integer puts the integer in the lowest bits of the sum. Takes fewer instructions than a conversion.
 */
const WHOLE_IN_LOW_BITS = 1.5 * 2 ** MANTISSA_BITS;
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
    timesPowerOfTwo: (a, n) =>
      i32x4.add(a, i32x4.shiftLeft(f32x4.add(n, WHOLE_IN_LOW_BITS), i32.constant(MANTISSA_BITS))),
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
    return below % 2 === 0 ? below : -(-1 - below); // below + 1, but -0 for -1 as in IEEE 754
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

/** ln 2 in two parts. The first is exact in few bits, so that its integer multiples are exact. */
const LN2_HIGH = 0.693359375;
const LN2_LOW = -2.1219444e-4;
/** Outside these bounds exp leaves the normal range; the sigmoid is 0 or 1 to 32 bits long before. */
const EXP_LOWEST = -87;
const EXP_HIGHEST = 88;

/** Coefficients of exp and ln on their reduced ranges: S. Moshier, Cephes Math Library 2.2, expf.c and logf.c. */
const EXP_POLYNOMIAL = [
  1.98756915e-4, 1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1,
];
const LN_POLYNOMIAL = [
  7.0376836292e-2, -1.151461031e-1, 1.167699874e-1, -1.2420140846e-1, 1.4249322787e-1, -1.6668057665e-1,
  2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1,
];

function polynomial<T>(on: FloatArithmetic<T>, coefficients: readonly number[], x: T): T {
  let sum = on.add(on.mul(x, coefficients[0]!), coefficients[1]!);
  for (const coefficient of coefficients.slice(2)) sum = on.add(on.mul(sum, x), coefficient);
  return sum;
}

/** e^x, x clamped to -87 … 88; relative error below 2e-7. */
export function exp<T>(on: FloatArithmetic<T>, x: T): T {
  const clamped = on.min(on.max(x, EXP_LOWEST), EXP_HIGHEST);
  const n = on.nearest(on.mul(clamped, Math.LOG2E));
  const rest = on.sub(on.sub(clamped, on.mul(n, LN2_HIGH)), on.mul(n, LN2_LOW));
  const tail = on.mul(polynomial(on, EXP_POLYNOMIAL, rest), on.mul(rest, rest));
  return on.timesPowerOfTwo(on.add(on.add(tail, rest), 1), n);
}

/** ln x of a positive normal number; absolute error below 2e-7 near 1, relative 2e-7 elsewhere. */
export function ln<T>(on: FloatArithmetic<T>, x: T): T {
  const [m, n] = on.splitAtRoots(x);
  const f = on.sub(m, 1);
  const square = on.mul(f, f);
  let tail = on.mul(on.mul(polynomial(on, LN_POLYNOMIAL, f), f), square);
  tail = on.add(tail, on.mul(n, LN2_LOW));
  tail = on.sub(tail, on.mul(square, 0.5));
  return on.add(on.add(f, tail), on.mul(n, LN2_HIGH));
}

/** 1 / (1 + e^-x). */
export function sigmoid<T>(on: FloatArithmetic<T>, x: T): T {
  return on.div(1, on.add(exp(on, on.sub(0, x)), 1));
}

/** e^s / sum of all e^s, computed relative to the largest score. */
export function softmax<T>(on: FloatArithmetic<T>, scores: readonly T[]): T[] {
  const largest = scores.reduce((a, b) => on.max(a, b));
  const powers = scores.map((score) => exp(on, on.sub(score, largest)));
  const sum = powers.reduce((a, b) => on.add(a, b));
  return powers.map((power) => on.div(power, sum));
}
