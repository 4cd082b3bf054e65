import { wasmFunction, type WasmFunction } from '../assembler/module.ts';
import { plainArithmetic, vectorArithmetic, type FloatArithmetic } from './float-arithmetic.ts';
import type { MemoryViews } from './memory-views.ts';

/**
 * gradients(probabilities, labels, weights, label, count, out): first and second derivative of the log-loss by the
 * raw score, times the row's weight, as two whole numbers a row in one 32-bit word.
 *
 * With y = 1 where the row's label is `label` and 0 elsewhere: gradient (p - y) w in the upper 16 bits, hessian
 * p (1 - p) w in the lower ones. `weights` already hold the fixed-point scale, and none exceeds 32,767. `count` is a
 * multiple of 4. Half a word for each, as a node's rows lie scattered and every line of memory counts.
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

/** The same by plain numbers. */
export function plainGradients(
  { f32, i32 }: MemoryViews,
  probabilities: number,
  labels: number,
  weights: number,
  label: number,
  count: number,
  out: number,
): void {
  for (let row = 0; row < count; row++) {
    const y = i32[labels / 4 + row] === label ? 1 : 0;
    const p = f32[probabilities / 4 + row]!;
    const [gradient, hessian] = derivatives(plainArithmetic, p, y, f32[weights / 4 + row]!);
    i32[out / 4 + row] = (gradient << 16) + hessian;
  }
}

function derivatives<T>(on: FloatArithmetic<T>, p: T, y: T, weight: T): [gradient: T, hessian: T] {
  const gradient = on.mul(on.sub(p, y), weight);
  const hessian = on.mul(on.mul(p, on.sub(1, p)), weight);
  return [on.nearest(gradient), on.nearest(hessian)];
}
