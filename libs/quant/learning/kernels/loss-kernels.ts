import { wasmFunction, type WasmFunction } from '../assembler/module.ts';
import type { Value } from '../assembler/function-code.ts';
import {
  plainArithmetic,
  vectorArithmetic,
  sigmoid,
  softmax,
  ln,
  type FloatArithmetic,
} from './float-functions.ts';
import type { KernelShape, MemoryViews } from './kernel-memory.ts';

/**
 * probabilities(sums, count, stride, base, out): computes the probabilities of `count` rows, a multiple of 4, from their sums
 * of leaf values and the base scores, one 32-bit float for each class at `base`. Class k of `sums` and of `out` is `k *
 * stride` bytes further on.
 */
export function probabilitiesKernel({ classes }: KernelShape): WasmFunction {
  return wasmFunction(
    'probabilities',
    ['i32', 'i32', 'i32', 'i32', 'i32'],
    (asm, sums, count, stride, base, out) => {
      const { code, i32, f32x4 } = asm;
      const on = vectorArithmetic(asm);
      const bases = Array.from({ length: classes }, (_, k) => f32x4.loadSplat(base, 4 * k));
      code.loop(i32.constant(0), i32.shiftLeft(count, 2), 16, (at) => {
        const address = (start: Value<'i32'>, k: number) => i32.add(i32.add(start, at), i32.mul(stride, k));
        const scores = bases.map((ofClass, k) => on.add(f32x4.load(address(sums, k)), ofClass));
        link(on, scores).forEach((probability, k) => f32x4.store(address(out, k), probability));
      });
    },
  );
}

/** The same in plain numbers. */
export function plainProbabilities(
  { classes }: KernelShape,
  { f32 }: MemoryViews,
  sums: number,
  count: number,
  stride: number,
  base: number,
  out: number,
): void {
  const on = plainArithmetic;
  for (let row = 0; row < count; row++) {
    const index = (start: number, k: number) => (start + k * stride) / 4 + row;
    const scores = Array.from({ length: classes }, (_, k) =>
      on.add(f32[index(sums, k)]!, f32[base / 4 + k]!),
    );
    link(on, scores).forEach((probability, k) => (f32[index(out, k)] = probability));
  }
}

function link<T>(on: FloatArithmetic<T>, scores: readonly T[]): T[] {
  return scores.length === 1 ? [sigmoid(on, scores[0]!)] : softmax(on, scores);
}

/**
 * gradients(probabilities, labels, weights, label, count, out): first and second derivative of the log-loss with respect to
 * the raw score, times the row's weight, as two integers in one 32-bit word for each row.
 *
 * With y = 1 where the row's label is `label` and 0 elsewhere: gradient (p - y) w in the upper 16 bits, hessian p (1 - p) w
 * in the lower 16 bits. `weights` already include the fixed-point scale, and none exceeds 32,767. `count` is a multiple of 4.
 * Both share one word because a node's rows are scattered in memory and every cache line counts.
 */
export function gradientsKernel(): WasmFunction {
  return wasmFunction(
    'gradients',
    ['i32', 'i32', 'i32', 'i32', 'i32', 'i32'],
    (asm, probabilities, labels, weights, label, count, out) => {
      const { code, i32, i32x4, f32x4 } = asm;
      const on = vectorArithmetic(asm);
      const wanted = i32x4.splat(label);
      code.loop(i32.constant(0), i32.shiftLeft(count, 2), 16, (at) => {
        const isLabel = i32x4.equal(i32x4.load(i32.add(labels, at)), wanted);
        const y = f32x4.sub(0, f32x4.fromI32x4(isLabel));
        const p = f32x4.load(i32.add(probabilities, at));
        const [g, h] = derivatives(on, p, y, f32x4.load(i32.add(weights, at)));
        const [gradient, hessian] = [f32x4.toI32x4(g), f32x4.toI32x4(h)];
        i32x4.store(i32.add(out, at), i32x4.add(i32x4.shiftLeft(gradient, i32.constant(16)), hessian));
      });
    },
  );
}

function derivatives<T>(on: FloatArithmetic<T>, p: T, y: T, weight: T): [gradient: T, hessian: T] {
  const gradient = on.mul(on.sub(p, y), weight);
  const hessian = on.mul(on.mul(p, on.sub(1, p)), weight);
  return [on.nearest(gradient), on.nearest(hessian)];
}

/** Lower bound of a probability. Its loss is 16.6; an infinite loss would hide all others. */
const MIN_PROBABILITY = 2 ** -24;

/**
 * logLoss(probabilities, stride, labels, weights, count): the weighted sum of -ln p over `count` rows, a multiple of 4, where
 * p is the probability of the row's label. Class k is `k * stride` bytes further on; a binary table holds only the
 * probability of label 1. Summed in 64-bit floats, in four partial sums over every fourth row.
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

/** The same in plain numbers. */
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
  return on.mul(on.sub(0, ln(on, on.max(p, MIN_PROBABILITY))), weight);
}
