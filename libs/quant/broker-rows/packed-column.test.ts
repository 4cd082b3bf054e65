import fc from 'fast-check';
import { expect, test } from 'vitest';
import { numberAt, PackedColumnBuilder, type PackedColumn, type Packing } from './packed-column.ts';

const PACKINGS: Packing[] = [
  { unit: 100, type: Uint16Array },
  { unit: 1, type: Uint32Array },
];
const arbitraryPacking = fc.constantFrom(...PACKINGS);
/** Multiples, numbers that are none, and those at the ends of both types. */
const arbitraryNumber = fc.oneof(
  fc.nat({ max: 100_000 }).map((lots) => lots * 100),
  fc.double({ min: 0, max: 2 ** 53, noNaN: true }),
  fc.constantFrom(
    0,
    1,
    6_527_900,
    6_528_000,
    6_553_500,
    6_553_600,
    2 ** 32 - 257,
    2 ** 32 - 256,
    2 ** 32 - 2,
    2 ** 32 - 1,
    2 ** 32,
    2 ** 53,
  ),
);
/** More than a block. */
const arbitraryNumbers = fc.array(arbitraryNumber, { maxLength: 700, size: 'max' });

test('every number comes back exactly, in whatever order the rows were set', () => {
  fc.assert(
    fc.property(arbitraryPacking, arbitraryNumbers, fc.boolean(), (packing, numbers, backwards) => {
      const rows = [...numbers.keys()];
      const column = columnOf(packing, numbers, backwards ? rows.toReversed() : rows);
      expect(numbersOf(column)).toEqual(numbers.map((number) => number + 0));
    }),
  );
});

test('a copied range gives the numbers of the original, wherever it is put', () => {
  const arbitraryCut = fc.nat({ max: 700 });
  fc.assert(
    fc.property(
      arbitraryPacking,
      arbitraryNumbers,
      arbitraryCut,
      arbitraryCut,
      fc.nat({ max: 300 }),
      (packing, numbers, one, other, before) => {
        const [from, to] = [Math.min(one, other), Math.max(one, other)].map((cut) =>
          Math.min(cut, numbers.length),
        ) as [number, number];
        const builder = new PackedColumnBuilder(packing, before + to - from);
        builder.copy(columnOf(packing, numbers), from, to, before);
        const expected = [...new Array<number>(before).fill(0), ...numbers.slice(from, to)];
        expect(numbersOf(builder.finish())).toEqual(expected);
      },
    ),
  );
});

test('a block may consist of exceptions only', () => {
  const numbers = Array.from({ length: 600 }, (_, row) => row + 0.5);
  for (const packing of PACKINGS) expect(numbersOf(columnOf(packing, numbers))).toEqual(numbers);
});

test('multiples of the unit that fit into the type are not stored as exceptions', () => {
  const lots = { unit: 100, type: Uint16Array };
  expect(columnOf(lots, [0, 100, 6_527_900]).exceptions).toHaveLength(0);
  expect([...columnOf(lots, [6_528_000, 100, 150]).exceptions]).toEqual([6_528_000, 150]);
});

function columnOf(packing: Packing, numbers: readonly number[], rows = [...numbers.keys()]): PackedColumn {
  const builder = new PackedColumnBuilder(packing, numbers.length);
  for (const row of rows) builder.set(row, numbers[row]!);
  return builder.finish();
}

function numbersOf(column: PackedColumn): number[] {
  return Array.from({ length: column.multiples.length }, (_, row) => numberAt(column, row));
}
