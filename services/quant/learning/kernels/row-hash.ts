import type { I32 } from '../assembler/i32.ts';
import type { Value } from '../assembler/value.ts';

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
export function rowHashOf(i32: I32, row: Value<'i32'>, seed: Value<'i32'>): Value<'i32'> {
  let h = i32.xor(row, seed);
  h = i32.mul(i32.xor(h, i32.shiftRightUnsigned(h, 16)), FIRST);
  h = i32.mul(i32.xor(h, i32.shiftRightUnsigned(h, 15)), SECOND);
  return i32.shiftRightUnsigned(i32.xor(h, i32.shiftRightUnsigned(h, 16)), 1);
}

/** A seed for one use among many, so that tree 2 of seed 1 has nothing to do with tree 1 of seed 2. */
export function seedFor(seed: number, ...use: readonly number[]): number {
  return use.reduce((mixed, part) => rowHash(part + 0x9e3779b9, Math.imul(mixed, 0x85ebca6b)) | 0, seed | 0);
}
