import { wasmFunction, type WasmFunction } from '../assembler/module.ts';
import type { KernelShape, MemoryViews } from './kernel-memory.ts';

/**
 * Records: what a tree that may use some of the features reads of a row, side by side. The bins of the used features come first,
 * and the packed gradient last. A row of the table with all features takes several times the memory, most of it for nothing.
 */

const VECTOR_BYTES = 16;
const GRADIENT_BYTES = 4;
/** As an index into a vector this selects no byte. */
const NO_BYTE = 0xff;

type RecordShape = Pick<KernelShape, 'features' | 'usedFeatures'>;

export function usesRecords({ features, usedFeatures }: RecordShape): boolean {
  return usedFeatures < features;
}

/** Bytes from one record to the next. */
export function recordStride({ usedFeatures }: RecordShape): number {
  return vectors(usedFeatures + GRADIENT_BYTES) * VECTOR_BYTES;
}

export function gradientInRecord(shape: RecordShape): number {
  return recordStride(shape) - GRADIENT_BYTES;
}

function vectors(bytes: number): number {
  return Math.ceil(bytes / VECTOR_BYTES);
}

/** Bytes of the selection that {@link selectFeatures} writes. */
export function selectionBytes(shape: RecordShape): number {
  return recordStride(shape) * vectors(shape.features);
}

/** Writes which bytes of each vector of a row's bins belong into each vector of its record. */
export function selectFeatures(u8: Uint8Array, address: number, shape: RecordShape, used: Uint32Array): void {
  u8.fill(NO_BYTE, address, address + selectionBytes(shape));
  for (const [i, feature] of used.entries()) {
    const [from, to] = [feature, i].map((byte) => Math.floor(byte / VECTOR_BYTES)) as [number, number];
    const vector = to * vectors(shape.features) + from;
    u8[address + vector * VECTOR_BYTES + (i % VECTOR_BYTES)] = feature % VECTOR_BYTES;
  }
}

/**
 * collectRecords(rows, count, bins, gradients, selection, out): writes the records of the listed rows, each at its row number.
 * Reads up to a vector past the last row's bins.
 */
export function collectRecordsKernel(shape: KernelShape): WasmFunction {
  const stride = recordStride(shape);
  return wasmFunction(
    'collectRecords',
    ['i32', 'i32', 'i32', 'i32', 'i32', 'i32'],
    ({ code, i32, i32x4, u8x16 }, rows, count, bins, gradients, selection, out) => {
      const sources = Array.from({ length: vectors(shape.features) }, (_, k) => VECTOR_BYTES * k);
      const selected = Array.from({ length: vectors(stride) }, (_, k) =>
        sources.map((at) => code.variable(i32x4.load(selection, k * VECTOR_BYTES * sources.length + at))),
      );
      code.loop(rows, i32.add(rows, i32.shiftLeft(count, 2)), 4, (at) => {
        const row = i32.load(at);
        const from = i32.add(bins, i32.mul(row, shape.rowStride));
        const record = i32.add(out, i32.mul(row, stride));
        const loaded = sources.map((source) => i32x4.load(from, source));
        for (const [k, choices] of selected.entries()) {
          const parts = choices.map((choice, source) => u8x16.swizzle(loaded[source]!, choice));
          i32x4.store(
            record,
            parts.reduce((a, b) => i32x4.or(a, b)),
            VECTOR_BYTES * k,
          );
        }
        i32.store(record, i32.load(i32.add(gradients, i32.shiftLeft(row, 2))), gradientInRecord(shape));
      });
    },
  );
}

/** The same in plain numbers. */
export function plainCollectRecords(
  shape: KernelShape,
  { u8, u32, i32 }: MemoryViews,
  [rows, count, bins, gradients, out]: readonly [number, number, number, number, number],
  used: Uint32Array,
): void {
  for (const row of u32.subarray(rows / 4, rows / 4 + count)) {
    const record = out + row * recordStride(shape);
    u8.fill(0, record, record + recordStride(shape));
    for (const [i, feature] of used.entries()) u8[record + i] = u8[bins + row * shape.rowStride + feature]!;
    i32[(record + gradientInRecord(shape)) / 4] = i32[gradients / 4 + row]!;
  }
}
