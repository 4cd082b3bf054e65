import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DayRanks } from './day-ranks.ts';

const MAX_NAMES = 120;

interface Name {
  value: number;
  isReference: boolean;
}

function ranksOf(names: Name[], scratch = new DayRanks(MAX_NAMES)): number[] {
  const values = Float32Array.from(names, ({ value }) => value);
  const out = new Uint8Array(names.length);
  const bits = new Uint32Array(values.buffer);
  const place = Uint32Array.from(names, (_, row) => row);
  const isReference = Uint8Array.from(names, (name) => (name.isReference ? 1 : 0));
  scratch.rank(0, names.length, { bits, place, isReference }, out);
  return [...out];
}

/** Ranks by the definition: counts for each name the values below it and equal to it. */
function countedRanks(names: Name[]): number[] {
  const known = names
    .map(({ value, isReference }) => ({ value: Math.fround(value), isReference }))
    .filter(({ value }) => Number.isFinite(value));
  const references = known.filter(({ isReference }) => isReference);
  const others = references.length < 20 ? known : references;
  return names.map((name) => {
    const value = Math.fround(name.value);
    if (!Number.isFinite(value)) return 127;
    const below = others.filter((other) => other.value < value).length;
    const beside = others.filter((other) => other.value === value).length;
    return Math.round((254 * (below + beside / 2)) / others.length);
  });
}

/** Values of any size, few distinct values, values close together, and undefined values. */
const anyValue = fc.oneof(
  fc.float(),
  fc.integer({ min: -2, max: 2 }),
  fc.float({ min: Math.fround(0.99), max: Math.fround(1.01) }),
  fc.constantFrom(NaN, -0, 0, Infinity, -Infinity),
);
const anyNames = fc.array(fc.record({ value: anyValue, isReference: fc.boolean() }), {
  maxLength: MAX_NAMES,
  size: 'max',
});

/** Twenty-one reference names with values 0 to 20. */
const references = Array.from({ length: 21 }, (_, value) => ({ value, isReference: true }));

describe('the rank of a name', () => {
  test('matches the definition for any values, with scratch memory reused across days', () => {
    const scratch = new DayRanks(MAX_NAMES);
    fc.assert(
      fc.property(anyNames, (names) => {
        expect(ranksOf(names, scratch)).toEqual(countedRanks(names));
      }),
      { numRuns: 500 },
    );
  });

  test('never falls when the value rises', () => {
    fc.assert(
      fc.property(anyNames, (names) => {
        const ranks = ranksOf(names);
        const ascending = names
          .map(({ value }, i) => ({ value: Math.fround(value), rank: ranks[i]! }))
          .filter(({ value }) => Number.isFinite(value))
          .toSorted((a, b) => a.value - b.value);
        for (const [i, { rank }] of ascending.entries()) {
          expect(rank).toBeGreaterThanOrEqual(ascending[i - 1]?.rank ?? 0);
        }
      }),
    );
  });
});

test('the ranks do not depend on the order of the values', () => {
  const names = references.map(({ value }) => value);
  const values = Float32Array.from(names.toReversed());
  const out = new Uint8Array(names.length);
  new DayRanks(names.length).rank(
    0,
    names.length,
    {
      bits: new Uint32Array(values.buffer),
      place: Uint32Array.from(names, (_, row) => names.length - 1 - row),
      isReference: new Uint8Array(names.length).fill(1),
    },
    out,
  );
  expect([...out]).toEqual(ranksOf(references));
});
