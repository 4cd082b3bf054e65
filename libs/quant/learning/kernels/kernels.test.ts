import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { plainAddTree, BRANCH_BYTES, CHUNK_ROWS, writeBranch } from './add-tree.ts';
import { plainGradients, plainLogLoss, plainProbabilities } from './loss-kernels.ts';
import { plainHistogram } from './histogram.ts';
import { plainCollectRecords } from './records.ts';
import { viewsOf, type KernelShape, type MemoryViews } from './kernel-memory.ts';
import { bindKernels, compileKernels, type Kernels } from './kernels.ts';
import { plainPartition, ALL_ROWS, plainSampleRows } from './row-lists.ts';

const PAGES = 4;
const shape: KernelShape = { features: 5, usedFeatures: 5, bins: 16, classes: 1 };
const threeClasses: KernelShape = { ...shape, classes: 3 };

/** Addresses of the data of a test, in bytes. Each has room for 400 rows, or for a list and the reads past its end. */
const [INPUT, SECOND, THIRD, COLUMNS, OUTPUT, CELLS] = [0, 32_768, 65_536, 98_304, 131_072, 163_840];

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

describe('each kernel leaves the same bits as its plain twin', () => {
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

  test('gradients', () => {
    fc.assert(
      fc.property(floats(0, 1), bytes(2), floats(0, 32_767), fc.nat(2), (p, labels, weights, label) => {
        const count = inFours(p.length);
        expectTwins(
          shape,
          ({ f32, i32 }) => {
            f32.set(p, INPUT / 4);
            i32.set(labels, SECOND / 4);
            f32.set(weights, THIRD / 4);
          },
          (kernels) => kernels.gradients(INPUT, SECOND, THIRD, label, count, OUTPUT),
          (views) => plainGradients(views, INPUT, SECOND, THIRD, label, count, OUTPUT),
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

  test('sampled rows', () => {
    const limits = fc.oneof(fc.constant(ALL_ROWS), fc.nat(ALL_ROWS - 1));
    fc.assert(
      fc.property(fc.nat(1_000_000), fc.nat(400), fc.integer(), limits, (from, count, seed, limit) => {
        expectTwins(
          shape,
          () => {},
          (kernels) => kernels.sampleRows(from, from + count, seed, limit, OUTPUT),
          (views) => plainSampleRows(views, from, from + count, seed, limit, OUTPUT),
        );
      }),
    );
  });

  test('partition', () => {
    fc.assert(
      fc.property(bytes(15), bytes(399), fc.nat(15), (column, rows, cut) => {
        expectTwins(
          shape,
          ({ u8, u32 }) => {
            u8.set(column, INPUT);
            u32.set(rows, SECOND / 4);
          },
          (kernels) => kernels.partition(SECOND, rows.length, INPUT, cut, OUTPUT),
          (views) => plainPartition(views, SECOND, rows.length, INPUT, cut, OUTPUT),
        );
      }),
    );
  });

  const packed = fc.tuple(fc.nat(8_192), fc.integer({ min: -32_767, max: 32_767 }));
  const gradients = fc.array(packed, { minLength: 100, maxLength: 100 });
  const inWords = (halves: readonly [number, number][]) =>
    halves.map(([hessian, gradient]) => (gradient << 16) + hessian);

  test.each([
    ['all', 5, [0, 1, 2, 3, 4]],
    ['some, of one vector', 24, [0, 17, 23]],
    ['some, of two vectors', 24, [...Array(14).keys(), 20]],
  ])('records of %s features, and a histogram added to existing sums', (_, features, used) => {
    const of = { ...shape, features, usedFeatures: used.length };
    const bins = fc.array(fc.nat(15), { minLength: 24 * 112, maxLength: 24 * 112 });
    fc.assert(
      fc.property(bins, gradients, bytes(99), (table, halves, rows) => {
        expectTwins(
          of,
          ({ u8, i32, u32 }) => {
            u8.set(table, INPUT);
            i32.set(inWords(halves), SECOND / 4);
            u32.set(rows, THIRD / 4);
            u32.set(
              used.map((feature) => INPUT + 112 * feature),
              COLUMNS / 4,
            );
            i32.set([1, -1, 2, 5], CELLS / 4);
          },
          (kernels) => {
            kernels.collectRecords(COLUMNS, 0, 100, SECOND, OUTPUT);
            kernels.histogram(THIRD, rows.length, OUTPUT, SECOND, CELLS);
          },
          (views) => {
            plainCollectRecords(of, views, COLUMNS, 0, 100, SECOND, OUTPUT);
            plainHistogram(of, views, THIRD, rows.length, OUTPUT, SECOND, CELLS);
          },
        );
      }),
    );
  });

  test('tree added to scores', () => {
    // Leaf 0 if feature a > 7, else leaf 1 if feature b <= 3, else leaf 2. The slots are adjacent.
    const [a, b] = [INPUT, INPUT + 600];
    const slot = (n: number) => SECOND + n * CHUNK_ROWS;
    fc.assert(
      fc.property(bytes(15), bytes(15), floats(-3, 3), fc.nat(40), (first, second, scores, from) => {
        const to = from + scores.length;
        const run = [THIRD, 2, slot(4), THIRD + 64, from, to, OUTPUT] as const;
        expectTwins(
          shape,
          ({ u8, i32, f32 }) => {
            u8.set(first, a);
            u8.set(second, b);
            for (let leaf = 0; leaf < 3; leaf++) u8.fill(leaf, slot(leaf), slot(leaf + 1));
            writeBranch(i32, THIRD, { column: b, bin: 3, left: slot(1), right: slot(2), out: slot(3) });
            writeBranch(i32, THIRD + BRANCH_BYTES, {
              column: a,
              bin: 7,
              left: slot(3),
              right: slot(0),
              out: slot(4),
            });
            f32.set([0.1, -0.7, 1.3], THIRD / 4 + 16);
            f32.set(scores, OUTPUT / 4 + from);
          },
          (kernels) => kernels.addTree(...run),
          (views) => plainAddTree(views, ...run),
        );
      }),
    );
  });
});
