import { wasmFunction, type Assembler, type WasmFunction } from '../assembler/module.ts';
import type { Value } from '../assembler/function-code.ts';
import type { KernelShape } from './kernel-memory.ts';

/**
 * Records: what histograms read of a row, side by side, so that a row costs one cache line and not one a feature. They begin with
 * the bins of the features that a tree may use. Those of trees that may use only some features are made for each tree and end with
 * the row's packed gradient; those of all features are made once for a training.
 */

const VECTOR_BYTES = 16;
const WORD_BYTES = 4;

type RecordShape = Pick<KernelShape, 'features' | 'usedFeatures'>;

export function holdGradients({ features, usedFeatures }: RecordShape): boolean {
  return usedFeatures < features;
}

/** Bytes from one record to the next: whole vectors. */
export function recordStride(shape: RecordShape): number {
  const bytes = shape.usedFeatures + (holdGradients(shape) ? WORD_BYTES : 0);
  return Math.ceil(bytes / VECTOR_BYTES) * VECTOR_BYTES;
}

export function gradientInRecord(shape: RecordShape): number {
  return recordStride(shape) - WORD_BYTES;
}

/** Bytes of the records of so many rows, which are written sixteen at a time. */
export function recordBytes(shape: RecordShape, rows: number): number {
  return Math.ceil(rows / VECTOR_BYTES) * VECTOR_BYTES * recordStride(shape);
}

/**
 * collectRecords(columns, from, to, gradients, out): writes the records of rows from … to - 1, each at its row number. `columns`
 * are the addresses of the bins of each used feature by row number, one 32-bit word each. Works on sixteen rows at a time: reads
 * and writes up to fifteen rows more.
 *
 * Bytes of four columns become one word a row, and words of four such groups one vector a row: a transposed matrix.
 */
export function collectRecordsKernel(shape: KernelShape): WasmFunction {
  const stride = recordStride(shape);
  return wasmFunction(
    'collectRecords',
    ['i32', 'i32', 'i32', 'i32', 'i32'],
    (asm, columns, from, to, gradients, out) => {
      const { code, i32, i32x4 } = asm;
      const none = i32x4.constant(0);
      const starts = Array.from({ length: shape.usedFeatures }, (_, i) => i32.load(columns, WORD_BYTES * i));
      code.loop(from, i32.add(from, i32.roundUp(i32.sub(to, from), VECTOR_BYTES)), VECTOR_BYTES, (row) => {
        const bins = starts.map((start) => i32x4.load(i32.add(start, row)));
        const words: Value<'v128'>[][] = [];
        for (let i = 0; i < stride; i += WORD_BYTES)
          words.push(wordsOfRows(asm, bins.slice(i, i + WORD_BYTES), none));
        if (holdGradients(shape)) {
          const gradient = i32.add(gradients, i32.shiftLeft(row, 2));
          words[words.length - 1] = [0, 1, 2, 3].map((four) => i32x4.load(gradient, VECTOR_BYTES * four));
        }
        const record = i32.add(out, i32.mul(row, stride));
        for (let four = 0; four < 4; four++) {
          for (let i = 0; i < words.length; i += 4) {
            const ofRows = words.slice(i, i + 4).map((word) => word[four]!);
            for (const [at, vector] of transposed(asm, ofRows).entries())
              i32x4.store(record, vector, (4 * four + at) * stride + WORD_BYTES * i);
          }
        }
      });
    },
  );
}

/** The bytes of up to four columns of sixteen rows as four vectors, of one word a row. */
function wordsOfRows(
  { i32x4 }: Assembler,
  columns: readonly Value<'v128'>[],
  none: Value<'v128'>,
): Value<'v128'>[] {
  if (columns.length === 0) return [none, none, none, none];
  const [a, b, c, d] = [0, 1, 2, 3].map((i) => columns[i] ?? none) as Four;
  return ([0, 1] as const).flatMap((half) => {
    const [ab, cd] = [i32x4.interleave(a, b, 1, half), i32x4.interleave(c, d, 1, half)];
    return ([0, 1] as const).map((quarter) => i32x4.interleave(ab, cd, 2, quarter));
  });
}

/** Turns four vectors of a word a row into one vector a row. */
function transposed({ i32x4 }: Assembler, words: readonly Value<'v128'>[]): Value<'v128'>[] {
  const [a, b, c, d] = words as Four;
  return ([0, 1] as const).flatMap((half) => {
    const [ab, cd] = [i32x4.interleave(a, b, 4, half), i32x4.interleave(c, d, 4, half)];
    return ([0, 1] as const).map((quarter) => i32x4.interleave(ab, cd, 8, quarter));
  });
}

type Four = [Value<'v128'>, Value<'v128'>, Value<'v128'>, Value<'v128'>];
