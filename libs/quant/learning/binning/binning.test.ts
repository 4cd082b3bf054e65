import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BinTable, equalFrequencyCuts } from './bin-rows.ts';
import { distinctRuns } from './distinct-runs.ts';

const finite = fc.float({ noNaN: true, noDefaultInfinity: true });
const coarse = fc.integer({ min: -6, max: 6 }).map((n) => n / 4);
const samples = fc.oneof(
  fc.array(finite, { minLength: 1, maxLength: 300 }),
  fc.array(coarse, { minLength: 1, maxLength: 300 }),
);

function cutsOf(values: readonly number[], bins: number): Float32Array {
  return equalFrequencyCuts(distinctRuns(Float32Array.from(values)), bins);
}

function binsOf(values: Float32Array, cuts: Float32Array): { bins: Uint8Array; finite: boolean } {
  const bins = new Uint8Array(values.length);
  const allFinite = new BinTable(cuts).assign(values, 0, { from: 0, to: values.length }, bins, 0);
  return { bins, finite: allFinite };
}

test('few distinct values of a sample are found as among many', () => {
  const many = Float32Array.from({ length: 5_000 }, (_, i) => 100 + i);
  fc.assert(
    fc.property(samples, (values) => {
      const few = distinctRuns(Float32Array.from(values));
      const among = distinctRuns(Float32Array.from([...values.map((value) => Math.min(value, 99)), ...many]));
      const isFew = (_: number, i: number) => among.values[i]! < 99;
      const below = few.values.filter((value) => value < 99);
      expect(among.values.filter(isFew)).toEqual(below);
      expect(among.counts.filter(isFew)).toEqual(few.counts.subarray(0, below.length));
    }),
  );
});

describe('cuts', () => {
  test('are distinct ascending sample values, fewer than the bins, and leave no bin empty', () => {
    fc.assert(
      fc.property(samples, fc.integer({ min: 2, max: 70 }), (values, bins) => {
        const sample = Float32Array.from(values);
        const cuts = cutsOf(values, bins);
        expect(cuts.length).toBeLessThan(bins);
        for (const [i, cut] of cuts.entries()) {
          expect([...sample].some((value) => value === cut)).toBe(true);
          expect(cut).toBeLessThan(cuts[i + 1] ?? Math.max(...sample));
        }
      }),
    );
  });

  test('separate all values when there are enough bins', () => {
    expect([...cutsOf([3, 1, 2, 2, 5, 3], 4)]).toEqual([1, 2, 3]);
  });

  test('split evenly spaced values evenly', () => {
    const cuts = cutsOf(
      Array.from({ length: 1000 }, (_, i) => i),
      10,
    );
    expect([...cuts]).toEqual([99, 199, 299, 399, 499, 599, 699, 799, 899]);
  });

  test('give one bin to a value that fills half the sample, and the others to the rest', () => {
    const sample = [
      ...Array<number>(500).fill(0),
      ...Array.from({ length: 500 }, (_, i) => (i - 249.5) / 100),
    ];
    const { bins } = binsOf(Float32Array.from(sample), cutsOf(sample, 10));
    const counts = [...Map.groupBy(bins, (bin) => bin).values()]
      .map(({ length }) => length)
      .sort((a, b) => a - b);
    expect(counts).toHaveLength(10);
    expect(counts.at(-1)).toBe(500);
    expect(counts[0]).toBeGreaterThan(25);
  });
});

describe('bin table', () => {
  test('gives the number of cuts below the value, for every float', () => {
    fc.assert(
      fc.property(
        samples,
        fc.array(finite, { minLength: 1 }),
        fc.integer({ min: 2, max: 256 }),
        (a, b, bins) => {
          const cuts = cutsOf(a, bins);
          const values = Float32Array.from([...a, ...b, ...cuts, 0, -0]);
          const expected = [...values].map((value) => cuts.filter((cut) => value > cut).length);
          expect(binsOf(values, cuts)).toEqual({ bins: Uint8Array.from(expected), finite: true });
        },
      ),
    );
  });

  test.each([NaN, -NaN, Infinity, -Infinity])('reports %s as not finite', (value) => {
    expect(binsOf(Float32Array.of(1, value, 2), Float32Array.of(1)).finite).toBe(false);
  });
});
