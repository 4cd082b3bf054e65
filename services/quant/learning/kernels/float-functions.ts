import type { FloatArithmetic } from './float-arithmetic.ts';

/** ln 2 in two parts, the first exact in few bits, so that a whole multiple of it loses nothing. */
const LN2_HIGH = 0.693359375;
const LN2_LOW = -2.1219444e-4;
/** Beyond these exp leaves the normal range; the sigmoid is 0 or 1 to 32 bits long before. */
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

/** e^s over the sum of all e^s, computed from the largest score down. */
export function softmax<T>(on: FloatArithmetic<T>, scores: readonly T[]): T[] {
  const largest = scores.reduce((a, b) => on.max(a, b));
  const powers = scores.map((score) => exp(on, on.sub(score, largest)));
  const sum = powers.reduce((a, b) => on.add(a, b));
  return powers.map((power) => on.div(power, sum));
}
