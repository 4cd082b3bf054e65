import type { I32 } from '../assembler/scalar-instructions.ts';
import { wasmFunction, type WasmFunction } from '../assembler/module.ts';
import type { Value } from '../assembler/function-code.ts';
import type { MemoryViews } from './kernel-memory.ts';

/** Multipliers and shifts of a 32-bit mixer of low bias: C. Wellons, "hash-prospector", public domain. */
const FIRST = 0x7feb352d;
const SECOND = 0x846ca68b | 0;

/** A whole number in 0 … 2^31 - 1 that looks random in `row` and in `seed`. */
export function rowHash(row: number, seed: number): number {
  let h = row ^ seed;
  h = Math.imul(h ^ (h >>> 16), FIRST);
  h = Math.imul(h ^ (h >>> 15), SECOND);
  return (h ^ (h >>> 16)) >>> 1;
}

/** The same as instructions. */
function rowHashOf(i32: I32, row: Value<'i32'>, seed: Value<'i32'>): Value<'i32'> {
  let h = i32.xor(row, seed);
  h = i32.mul(i32.xor(h, i32.shiftRightUnsigned(h, 16)), FIRST);
  h = i32.mul(i32.xor(h, i32.shiftRightUnsigned(h, 15)), SECOND);
  return i32.shiftRightUnsigned(i32.xor(h, i32.shiftRightUnsigned(h, 16)), 1);
}

/** A seed for one use among many, so that tree 2 of seed 1 has nothing to do with tree 1 of seed 2. */
export function seedFor(seed: number, ...use: readonly number[]): number {
  return use.reduce((mixed, part) => rowHash(part + 0x9e3779b9, Math.imul(mixed, 0x85ebca6b)) | 0, seed | 0);
}

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

/** Rows a turn of the loop handles. */
const UNROLLED = 4;

/**
 * partition(rows, count, column, cut, out): lists the rows whose bin is at most `cut` from the front of `out` and the
 * others from its end backwards; returns how many are in front.
 *
 * `column` holds one feature's bins by row number. Without branches, half of which would be guessed wrong: each row is
 * written to both ends, and the front moves when it stays there. The back follows from the front, as with each row the
 * gap between them closes by one. Both ends keep the rows sorted, up or down, so later passes walk memory in one
 * direction.
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

/** The same by plain numbers. */
export function plainPartition(
  { u8, u32 }: MemoryViews,
  rows: number,
  count: number,
  column: number,
  cut: number,
  out: number,
): number {
  const listed = [...u32.subarray(rows / 4, rows / 4 + count)];
  const left = listed.filter((row) => u8[column + row]! <= cut);
  const right = listed.filter((row) => u8[column + row]! > cut);
  u32.set([...left, ...right.reverse()], out / 4);
  return left.length;
}
