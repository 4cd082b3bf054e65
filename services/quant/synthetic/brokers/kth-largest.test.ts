import fc from 'fast-check';
import { expect, test } from 'vitest';
import { kthLargest } from './kth-largest.ts';

test('the k-th largest is the k-th of the sorted values, with equal and infinite ones too', () => {
  const value = fc.oneof(fc.double({ noNaN: true }), fc.constantFrom(0, 1, -Infinity));
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 120 }), fc.nat(), (values, place) => {
      const k = 1 + (place % values.length);
      const sorted = Float64Array.from(values).sort().reverse();
      expect(kthLargest(Float64Array.from(values), k)).toBe(sorted[k - 1]);
    }),
  );
});
