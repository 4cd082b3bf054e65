import { wasmFunction, type WasmFunction } from '../assembler/module.ts';
import type { MemoryViews } from './memory-views.ts';
import { rowHash, rowHashOf } from './row-hash.ts';

/** The limit that takes every row, and the scale of all others. */
export const ALL_ROWS = 0x8000_0000;

/**
 * sampleRows(from, to, seed, limit, out): lists the rows of from … to - 1 whose hash lies below `limit`, ascending;
 * returns how many. A row is in or out whatever range it is asked with, so no cut of the work changes the sample.
 * One word past the end of the list may be written.
 */
export function sampleRowsKernel(): WasmFunction {
  return wasmFunction(
    'sampleRows',
    ['i32', 'i32', 'i32', 'i32', 'i32'],
    ({ code, i32 }, from, to, seed, limit, out) => {
      const end = code.variable(out);
      code.loop(from, to, 1, (row) => {
        i32.store(end, row);
        const taken = i32.lessUnsigned(rowHashOf(i32, row, seed), limit);
        code.assign(end, i32.add(end, i32.shiftLeft(taken, 2)));
      });
      return i32.shiftRightUnsigned(i32.sub(end, out), 2);
    },
  );
}

/** The same by plain numbers. */
export function plainSampleRows(
  { u32 }: MemoryViews,
  from: number,
  to: number,
  seed: number,
  limit: number,
  out: number,
): number {
  let end = out / 4;
  for (let row = from; row < to; row++) {
    u32[end] = row;
    if (rowHash(row, seed) < limit) end++;
  }
  return end - out / 4;
}
