import { wasmFunction, type Assembler, type WasmFunction } from '../assembler/module.ts';
import type { I64 } from '../assembler/scalar-instructions.ts';
import type { Value } from '../assembler/function-code.ts';
import type { KernelShape } from './kernel-memory.ts';
import { gradientInRecord, recordStride, holdGradients } from './records.ts';

/** Number of rows that are touched ahead of their use. The kernel reads row lists up to this many entries past their end. */
export const TOUCH_ROWS = 32;

/** Bytes of a cache line. A row with more features spans several lines. */
const LINE_BYTES = 64;

/** Bytes of a cell: 64 bits, the sum of gradients in the high half and the sum of hessians in the low half. */
export const CELL_BYTES = 8;

/**
 * histogram(rows, count, records, gradients, cells): adds the packed gradient of each listed row to one cell of each used feature.
 *
 * `rows` is a list of row numbers. The gradients are those of the records if they hold any, otherwise one 32-bit word for each row
 * at `gradients`. `cells` is the histogram: `shape.bins` cells for each used feature in turn. Sums of hessians stay below 2^31 and
 * are never negative, so adding two cells adds both halves and neither carries into the other. The loop over features is unrolled.
 *
 * Rows of deep nodes are far apart in memory, and WebAssembly has no prefetch. Therefore the cache lines of the next 32 rows
 * are read before the current 32 rows are added: their cache misses overlap instead of queueing. The sum of the values read
 * is returned only so that no compiler removes the reads. Records of some features are small enough to stay in a cache.
 */
export function histogramKernel(shape: KernelShape): WasmFunction {
  return wasmFunction(
    'histogram',
    ['i32', 'i32', 'i32', 'i32', 'i32'],
    (asm, rows, count, records, gradients, cells) => {
      const { code, i32 } = asm;
      const touched = code.variable(i32.constant(0));
      const end = i32.add(rows, i32.shiftLeft(count, 2));
      const add = (at: Value<'i32'>) => addRow(asm, shape, i32.load(at), records, gradients, cells);
      let inBlocks = rows;
      if (!holdGradients(shape)) {
        inBlocks = i32.add(rows, i32.shiftLeft(i32.and(count, -TOUCH_ROWS), 2));
        code.loop(rows, inBlocks, 4 * TOUCH_ROWS, (block) => {
          for (let ahead = TOUCH_ROWS; ahead < 2 * TOUCH_ROWS; ahead++) {
            const row = i32.load(block, 4 * ahead);
            const record = i32.add(records, i32.mul(row, recordStride(shape)));
            for (let line = 0; line < shape.features; line += LINE_BYTES) {
              code.assign(touched, i32.add(touched, i32.loadByte(record, line)));
            }
            const gradient = i32.loadByte(i32.add(gradients, i32.shiftLeft(row, 2)));
            code.assign(touched, i32.add(touched, gradient));
          }
          code.loop(block, i32.add(block, 4 * TOUCH_ROWS), 4, add);
        });
      }
      code.loop(inBlocks, end, 4, add);
      return touched;
    },
  );
}

function addRow(
  { i32, i64 }: Assembler,
  shape: KernelShape,
  row: Value<'i32'>,
  records: Value<'i32'>,
  gradients: Value<'i32'>,
  cells: Value<'i32'>,
): void {
  const record = i32.add(records, i32.mul(row, recordStride(shape)));
  const packed = holdGradients(shape)
    ? i64.loadI32(record, gradientInRecord(shape))
    : i64.loadI32(i32.add(gradients, i32.shiftLeft(row, 2)));
  const gradient = spreadHalves(i64, packed);
  for (let i = 0; i < shape.usedFeatures; i++) {
    const cell = i32.add(cells, i32.shiftLeft(i32.loadByte(record, i), 3));
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
