import type { I32 } from '../assembler/scalar-instructions.ts';
import { wasmFunction, type WasmFunction } from '../assembler/module.ts';
import type { Value } from '../assembler/function-code.ts';

/** Multipliers of a low-bias 32-bit mixer: C. Wellons, "hash-prospector", public domain. */
const FIRST = 0x7feb352d;
const SECOND = 0x846ca68b | 0;

/** A pseudo-random integer in 0 … 2^31 - 1, determined by `row` and `seed`. */
export function rowHash(row: number, seed: number): number {
  let h = row ^ seed;
  h = Math.imul(h ^ (h >>> 16), FIRST);
  h = Math.imul(h ^ (h >>> 15), SECOND);
  return (h ^ (h >>> 16)) >>> 1;
}

/** The same as WebAssembly instructions. */
function rowHashOf(i32: I32, row: Value<'i32'>, seed: Value<'i32'>): Value<'i32'> {
  let h = i32.xor(row, seed);
  h = i32.mul(i32.xor(h, i32.shiftRightUnsigned(h, 16)), FIRST);
  h = i32.mul(i32.xor(h, i32.shiftRightUnsigned(h, 15)), SECOND);
  return i32.shiftRightUnsigned(i32.xor(h, i32.shiftRightUnsigned(h, 16)), 1);
}

/** Derives a seed for one of several uses, so that tree 2 of seed 1 is unrelated to tree 1 of seed 2. */
export function seedFor(seed: number, ...use: readonly number[]): number {
  return use.reduce((mixed, part) => rowHash(part + 0x9e3779b9, Math.imul(mixed, 0x85ebca6b)) | 0, seed | 0);
}

/** The limit that accepts every row. Other limits are fractions of it. */
export const ALL_ROWS = 0x8000_0000;

/**
 * sampleRows(from, to, seed, limit, out): lists those of rows from … to - 1 whose hash is below `limit`, ascending, and
 * returns their number. Whether a row is sampled does not depend on the range, so dividing the work never changes the sample.
 * May write one word past the end of the list.
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

/** Number of rows that one iteration of the loop handles. */
const UNROLLED = 4;

/**
 * partition(rows, count, column, cut, out): lists the rows whose bin is at most `cut` from the front of `out`, and the others
 * from its end backwards. Returns the number of rows in front.
 *
 * `column` holds one feature's bins by row number. The loop has no branches, half of which would be mispredicted: each row is
 * written to both ends, and the front advances when the row belongs there. The back follows from the front, because each row
 * closes the gap between them by one. The rows of both parts stay sorted, ascending in front and descending at the back, so
 * later passes read memory in one direction.
 */
export function partitionKernel(): WasmFunction {
  return wasmFunction(
    'partition',
    ['i32', 'i32', 'i32', 'i32', 'i32'],
    ({ code, i32 }, rows, count, column, cut, out) => {
      const front = code.variable(out);
      const gap = code.variable(i32.shiftLeft(count, 2));
      const place = (row: Value<'i32'>, backGap: Value<'i32'>) => {
        const left = i32.lessUnsigned(i32.loadByte(i32.add(column, row)), limit);
        i32.store(front, row);
        i32.store(i32.add(front, backGap), row);
        code.assign(front, i32.add(front, i32.shiftLeft(left, 2)));
      };
      const limit = i32.add(cut, 1);
      const inTurns = i32.add(rows, i32.shiftLeft(i32.and(count, -UNROLLED), 2));
      code.loop(rows, inTurns, 4 * UNROLLED, (turn) => {
        for (let i = 0; i < UNROLLED; i++) place(i32.load(turn, 4 * i), i32.sub(gap, 4 * (i + 1)));
        code.assign(gap, i32.sub(gap, 4 * UNROLLED));
      });
      code.loop(inTurns, i32.add(rows, i32.shiftLeft(count, 2)), 4, (at) => {
        code.assign(gap, i32.sub(gap, 4));
        place(i32.load(at), gap);
      });
      return i32.shiftRightUnsigned(i32.sub(front, out), 2);
    },
  );
}
