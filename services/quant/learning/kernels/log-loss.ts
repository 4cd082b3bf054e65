import { wasmFunction, type WasmFunction } from '../assembler/module.ts';
import type { Value } from '../assembler/value.ts';
import { plainArithmetic, vectorArithmetic, type FloatArithmetic } from './float-arithmetic.ts';
import { ln } from './float-functions.ts';
import type { KernelShape } from './kernel-shape.ts';
import type { MemoryViews } from './memory-views.ts';

/** No probability counts as smaller: ln of it is -16, where an infinite loss would hide all others. */
const LEAST_PROBABILITY = 2 ** -24;

/**
 * logLoss(probabilities, stride, labels, weights, count): the weighted sum of -ln p over `count` rows, a multiple of
 * 4, p being the probability given to the row's label. Class k lies `k * stride` bytes further on; a binary table
 * holds the probability of label 1 alone. Summed in 64-bit floats, every fourth row together.
 */
export function logLossKernel({ classes }: KernelShape): WasmFunction {
  return wasmFunction(
    'logLoss',
    ['i32', 'i32', 'i32', 'i32', 'i32'],
    (asm, probabilities, stride, labels, weights, count) => {
      const { code, i32, i32x4, f32x4, f64x2 } = asm;
      const on = vectorArithmetic(asm);
      const low = code.variable(i32x4.constant(0));
      const high = code.variable(i32x4.constant(0));
      code.loop(i32.constant(0), i32.shiftLeft(count, 2), 16, (at) => {
        const label = i32x4.load(i32.add(labels, at));
        const given = Array.from({ length: classes }, (_, k) =>
          f32x4.load(i32.add(i32.add(probabilities, at), i32.mul(stride, k))),
        );
        const isLabel = (k: number): Value<'v128'> => i32x4.equal(label, k);
        const p = likelihood(on, given, (k, yes, no) => i32x4.select(isLabel(k), yes, no));
        const loss = rowLoss(on, p, f32x4.load(i32.add(weights, at)));
        code.assign(low, f64x2.add(low, f64x2.fromLowF32x4(loss)));
        code.assign(high, f64x2.add(high, f64x2.fromLowF32x4(i32x4.upperHalf(loss))));
      });
      return f64x2.sum(f64x2.add(low, high));
    },
  );
}

/** The same by plain numbers. */
export function plainLogLoss(
  { classes }: KernelShape,
  { f32, i32 }: MemoryViews,
  probabilities: number,
  stride: number,
  labels: number,
  weights: number,
  count: number,
): number {
  const sums = [0, 0, 0, 0];
  for (let row = 0; row < count; row++) {
    const label = i32[labels / 4 + row]!;
    const given = Array.from({ length: classes }, (_, k) => f32[(probabilities + k * stride) / 4 + row]!);
    const p = likelihood(plainArithmetic, given, (k, yes, no) => (label === k ? yes : no));
    sums[row % 4]! += rowLoss(plainArithmetic, p, f32[weights / 4 + row]!);
  }
  return sums[0]! + sums[2]! + (sums[1]! + sums[3]!);
}

type Select<T> = (label: number, yes: T, no: T) => T;

function likelihood<T>(on: FloatArithmetic<T>, given: readonly T[], select: Select<T>): T {
  if (given.length === 1) return select(1, given[0]!, on.sub(1, given[0]!));
  return given.reduce((chosen, p, k) => select(k, p, chosen));
}

function rowLoss<T>(on: FloatArithmetic<T>, p: T, weight: T): T {
  return on.mul(on.sub(0, ln(on, on.max(p, LEAST_PROBABILITY))), weight);
}
