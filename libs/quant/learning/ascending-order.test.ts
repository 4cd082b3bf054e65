import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ascendingOrder } from './ascending-order.ts';

const values = fc.array(fc.oneof(fc.float({ noNaN: true }), fc.integer({ min: -3, max: 3 })), {
  maxLength: 300,
});

test('the order matches a stable comparison sort', () => {
  fc.assert(
    fc.property(values, (list) => {
      const floats = Float32Array.from(list, (value) => value + 0);
      const expected = Array.from(floats.keys()).sort((a, b) =>
        floats[a]! < floats[b]! ? -1 : floats[a]! > floats[b]! ? 1 : a - b,
      );
      expect([...ascendingOrder(floats)]).toEqual(expected);
    }),
  );
});
