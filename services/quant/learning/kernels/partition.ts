import { wasmFunction, type WasmFunction } from '../assembler/module.ts';
import type { Value } from '../assembler/value.ts';
import type { MemoryViews } from './memory-views.ts';

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
