import { wasmFunction, type Assembler, type WasmFunction } from '../assembler/module.ts';
import type { I64 } from '../assembler/scalar-instructions.ts';
import type { Value } from '../assembler/function-code.ts';
import type { KernelShape, MemoryViews } from './kernel-memory.ts';

/** Number of rows that are touched ahead of their use. The kernel reads row lists up to this many entries past their end. */
export const TOUCH_ROWS = 32;

/** Bytes of a cache line. A row with more features spans several lines. */
const LINE_BYTES = 64;

/** Bytes of a cell: 64 bits, the sum of gradients in the high half and the sum of hessians in the low half. */
export const CELL_BYTES = 8;

/**
 * histogram(rows, count, bins, gradients, cells, used): adds the packed gradient of each listed row to one cell of each used
 * feature.
 *
 * `rows` is a list of row numbers, `bins` the row-major table, `gradients` one 32-bit word for each row (packed by the
 * gradients kernel), `used` the `shape.usedFeatures` features to count, one 32-bit word each. `cells` is the histogram:
 * `shape.bins` cells for each of these features in turn. Sums of hessians stay below 2^31 and are never negative, so adding
 * two cells adds both halves and neither carries into the other. The loop over features is unrolled. When all features are
 * used, their offsets are constants and `used` is not read.
 *
 * Rows of deep nodes are far apart in memory, and WebAssembly has no prefetch. Therefore the cache lines of the next 32 rows
 * are read before the current 32 rows are added: their cache misses overlap instead of queueing. The sum of the values read
 * is returned only so that no compiler removes the reads.
 */
export function histogramKernel(shape: KernelShape): WasmFunction {
  return wasmFunction(
    'histogram',
    ['i32', 'i32', 'i32', 'i32', 'i32', 'i32'],
    (asm, rows, count, bins, gradients, cells, used) => {
      const { code, i32 } = asm;
      const places = placesOf(asm, shape, used);
      const touched = code.variable(i32.constant(0));
      const inBlocks = i32.add(rows, i32.shiftLeft(i32.and(count, -TOUCH_ROWS), 2));
      const end = i32.add(rows, i32.shiftLeft(count, 2));
      code.loop(rows, inBlocks, 4 * TOUCH_ROWS, (block) => {
        for (let ahead = TOUCH_ROWS; ahead < 2 * TOUCH_ROWS; ahead++) {
          const row = i32.load(block, 4 * ahead);
          const record = i32.add(bins, i32.mul(row, shape.rowStride));
          for (let line = 0; line < shape.features; line += LINE_BYTES) {
            code.assign(touched, i32.add(touched, i32.loadByte(record, line)));
          }
          const gradient = i32.loadByte(i32.add(gradients, i32.shiftLeft(row, 2)));
          code.assign(touched, i32.add(touched, gradient));
        }
        code.loop(block, i32.add(block, 4 * TOUCH_ROWS), 4, (at) =>
          addRow(asm, shape, i32.load(at), bins, gradients, cells, places),
        );
      });
      code.loop(inBlocks, end, 4, (at) => addRow(asm, shape, i32.load(at), bins, gradients, cells, places));
      return touched;
    },
  );
}

/** Where a row holds the bin of a used feature: a constant offset, or a variable to add. */
type Place = { offset: number; variable?: Value<'i32'> };

function placesOf({ code, i32 }: Assembler, shape: KernelShape, used: Value<'i32'>): Place[] {
  return Array.from({ length: shape.usedFeatures }, (_, i) =>
    shape.usedFeatures === shape.features
      ? { offset: i }
      : { offset: 0, variable: code.variable(i32.load(used, 4 * i)) },
  );
}

function addRow(
  { i32, i64 }: Assembler,
  shape: KernelShape,
  row: Value<'i32'>,
  bins: Value<'i32'>,
  gradients: Value<'i32'>,
  cells: Value<'i32'>,
  places: readonly Place[],
): void {
  const gradient = spreadHalves(i64, i64.loadI32(i32.add(gradients, i32.shiftLeft(row, 2))));
  const record = i32.add(bins, i32.mul(row, shape.rowStride));
  for (const [i, place] of places.entries()) {
    const address = place.variable ? i32.add(record, place.variable) : record;
    const bin = i32.loadByte(address, place.offset);
    const cell = i32.add(cells, i32.shiftLeft(bin, 3));
    const offset = i * shape.bins * CELL_BYTES;
    i64.store(cell, i64.add(i64.load(cell, offset), gradient), offset);
  }
}

/** Spreads the two 16-bit halves of a packed gradient, the upper one signed, to the two 32-bit halves of a cell. */
function spreadHalves(i64: I64, packed: Value<'i64'>): Value<'i64'> {
  const hessian = i64.and(packed, i64.constant(0xffff));
  const gradient = i64.shiftRightSigned(packed, i64.constant(16));
  return i64.add(i64.shiftLeft(gradient, i64.constant(32)), hessian);
}

/** The same in plain numbers. */
export function plainHistogram(
  shape: KernelShape,
  { u8, u32, i32 }: MemoryViews,
  rows: number,
  count: number,
  bins: number,
  gradients: number,
  cells: number,
  used: number,
): void {
  for (const row of u32.subarray(rows / 4, rows / 4 + count)) {
    for (let i = 0; i < shape.usedFeatures; i++) {
      const bin = u8[bins + row * shape.rowStride + u32[used / 4 + i]!]!;
      const cell = (cells + (i * shape.bins + bin) * CELL_BYTES) / 4;
      const packed = i32[gradients / 4 + row]!;
      i32[cell]! += packed & 0xffff;
      i32[cell + 1]! += packed >> 16;
    }
  }
}
