import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { plainLogLoss, plainProbabilities } from './loss-kernels.ts';
import { viewsOf, type KernelShape, type MemoryViews } from './kernel-memory.ts';
import { bindKernels, compileKernels, type Kernels } from './kernels.ts';

const PAGES = 4;
const shape: KernelShape = { features: 5, usedFeatures: 5, bins: 16, classes: 1 };
const threeClasses: KernelShape = { ...shape, classes: 3 };

/** Addresses of data, in bytes, with room for 400 rows. */
const [INPUT, SECOND, THIRD, OUTPUT] = [0, 32_768, 65_536, 131_072];

/** Runs a kernel on one copy of a memory and its twin on another. Both must leave and return the same bits. */
function expectTwins(
  of: KernelShape,
  fill: (views: MemoryViews) => void,
  kernel: (kernels: Kernels) => number | void,
  twin: (views: MemoryViews) => number | void,
): void {
  const memory = new WebAssembly.Memory({ initial: PAGES, maximum: PAGES, shared: true });
  const plain = viewsOf(new SharedArrayBuffer(memory.buffer.byteLength));
  fill(viewsOf(memory.buffer));
  fill(plain);
  const returned = kernel(bindKernels(compileKernels(of), memory));
  const expected = twin(plain);
  if (expected !== undefined) expect(returned).toBe(expected);
  expect(Buffer.compare(new Uint8Array(memory.buffer), plain.u8)).toBe(0);
}

const floats = (min: number, max: number) =>
  fc.array(fc.float({ min: Math.fround(min), max: Math.fround(max), noNaN: true }), {
    minLength: 1,
    maxLength: 400,
  });
const bytes = (max: number) => fc.array(fc.nat(max), { minLength: 1, maxLength: 400 });
const inFours = (count: number) => Math.ceil(count / 4) * 4;

/** The others are tested by the trees that they grow. */
describe('each kernel that computes chances leaves the same bits as its plain twin', () => {
  test('probabilities, binary', () => {
    fc.assert(
      fc.property(floats(-200, 200), (scores) => {
        const count = inFours(scores.length);
        expectTwins(
          shape,
          ({ f32 }) => f32.set([...scores, -1.3]),
          (kernels) => kernels.probabilities(INPUT, count, 0, 4 * scores.length, OUTPUT),
          (views) => plainProbabilities(shape, views, INPUT, count, 0, 4 * scores.length, OUTPUT),
        );
      }),
    );
  });

  test('probabilities of three classes', () => {
    fc.assert(
      fc.property(floats(-60, 60), floats(-60, 60), floats(-60, 60), (...scores) => {
        const count = inFours(Math.max(...scores.map(({ length }) => length)));
        const stride = 4 * count;
        expectTwins(
          threeClasses,
          ({ f32 }) => {
            for (const [k, values] of scores.entries()) f32.set(values, k * count);
            f32.set([-1, 0.3, -2.2], THIRD / 4);
          },
          (kernels) => kernels.probabilities(INPUT, count, stride, THIRD, OUTPUT),
          (views) => plainProbabilities(threeClasses, views, INPUT, count, stride, THIRD, OUTPUT),
        );
      }),
    );
  });

  test.each([
    ['binary', shape],
    ['three classes', threeClasses],
  ])('log-loss, %s', (_, of) => {
    fc.assert(
      fc.property(floats(0, 1), bytes(2), floats(0, 10), (p, labels, weights) => {
        const count = inFours(p.length);
        expectTwins(
          of,
          ({ f32, i32 }) => {
            f32.set(p, INPUT / 4);
            i32.set(labels, SECOND / 4);
            f32.set(weights, THIRD / 4);
          },
          (kernels) => kernels.logLoss(INPUT, 8, SECOND, THIRD, count),
          (views) => plainLogLoss(of, views, INPUT, 8, SECOND, THIRD, count),
        );
      }),
    );
  });
});
