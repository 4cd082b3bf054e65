import { wasmFunction, type WasmFunction } from '../assembler/module.ts';
import type { Value } from '../assembler/value.ts';
import { plainArithmetic, vectorArithmetic, type FloatArithmetic } from './float-arithmetic.ts';
import { sigmoid, softmax } from './float-functions.ts';
import type { KernelShape } from './kernel-shape.ts';
import type { MemoryViews } from './memory-views.ts';

/**
 * probabilities(sums, count, stride, base, out): of `count` rows, a multiple of 4, from their sums of leaf values and
 * the base scores, one 32-bit float a class at `base`. Class k of both `sums` and `out` lies `k * stride` bytes
 * further on.
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

/** The same by plain numbers. */
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
