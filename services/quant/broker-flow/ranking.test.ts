import fc from 'fast-check';
import { expect, test } from 'vitest';
import { largest, netSides, RANKED_BY, sidesOf } from './ranking.ts';
import { noTrading, type Trading } from './trading.ts';

type Named = Trading & { code: string };
/** Sides as [shares, IDR]. */
const one = (
  code: string,
  [buyShares, buyValue]: [number, number],
  [sellShares, sellValue]: [number, number],
) => ({
  ...{ ...noTrading(), code, buyShares, buyValue, sellShares, sellValue },
});
const codes = (all: Named[]) => all.map(({ code }) => code).join(' ');

/** CR crossed a block, FL is flat in IDR, UP bought fewer shares than it sold and paid more. */
const BROKERS: Named[] = [
  one('AA', [10, 1_000], [0, 0]),
  one('BB', [30, 1_000], [0, 0]),
  one('CR', [500, 50_000], [500, 50_000]),
  one('FL', [9, 900], [10, 900]),
  one('SE', [1, 100], [21, 2_000]),
  one('UP', [10, 1_100], [11, 1_000]),
];

test.each([
  ['REG', 'value', 'AA BB UP', 'SE'],
  ['REG', 'shares', 'BB AA UP', 'SE'],
  ['NEGO', 'value', 'CR UP AA BB FL SE', 'CR SE UP FL'],
  ['NEGO', 'shares', 'CR BB AA UP FL SE', 'CR SE UP FL'],
] as const)('%s by %s: buyers %s, sellers %s', (market, by, buyers, sellers) => {
  const { buying, selling } = sidesOf(market, by);
  expect(codes(largest(BROKERS, buying, 50))).toBe(buyers);
  expect(codes(largest(BROKERS, selling, 50))).toBe(sellers);
});

test('no more are given than asked for, and equal ones keep their order', () => {
  const { buying } = netSides('value');
  expect(codes(largest(BROKERS, buying, 1))).toBe('AA');
  expect(codes(largest(BROKERS.toReversed(), buying, 1))).toBe('BB');
});

test('nobody is on both sides in the regular market, and what is left out is not larger than what is given', () => {
  const trading = fc.record({
    ...{ buyShares: fc.nat(99), buyValue: fc.nat(9_999), sellShares: fc.nat(99), sellValue: fc.nat(9_999) },
  });
  fc.assert(
    fc.property(fc.array(trading), fc.constantFrom(...RANKED_BY), fc.nat(5), (given, by, limit) => {
      const all = given.map((sides) => ({ ...noTrading(), ...sides }));
      const { buying, selling } = sidesOf('REG', by);
      const [buyers, sellers] = [largest(all, buying, 99), largest(all, selling, 99)];
      expect(buyers.filter((buyer) => sellers.includes(buyer))).toEqual([]);
      expect(largest(all, buying, limit)).toEqual(buyers.slice(0, limit));
      const amounts = buyers.map(buying.amount);
      expect(amounts).toEqual(amounts.toSorted((a, b) => b - a));
    }),
  );
});
