import fc from 'fast-check';
import { expect, test } from 'vitest';
import { panelOf } from '../panel/panel-fixture.ts';
import { noTrading, type Trading } from './broker-totals.ts';
import { brokerFlowOf, type FlowRowFixture } from './flow-fixture.ts';
import { largest, netSides, RANKED_BY, sidesOf, negoLeaders } from './ranking.ts';

type Named = Trading & { code: string };
/** Each side is [shares, IDR]. */
const one = (
  code: string,
  [buyShares, buyValue]: [number, number],
  [sellShares, sellValue]: [number, number],
) => ({
  ...noTrading(),
  code,
  buyShares,
  buyValue,
  sellShares,
  sellValue,
});
const codes = (all: Named[]) => all.map(({ code }) => code).join(' ');

/** CR crossed a block, FL has a net of 0 IDR, and UP bought fewer shares than it sold but paid more. */
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

test('a ranking returns at most the limit, and ties keep their order', () => {
  const { buying } = netSides('value');
  expect(codes(largest(BROKERS, buying, 1))).toBe('AA');
  expect(codes(largest(BROKERS.toReversed(), buying, 1))).toBe('BB');
});

test('in the regular market no broker is on both sides, and the limit keeps the largest', () => {
  const trading = fc.record({
    buyShares: fc.nat(99),
    buyValue: fc.nat(9_999),
    sellShares: fc.nat(99),
    sellValue: fc.nat(9_999),
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

const [MON, TUE] = ['2024-06-24', '2024-06-25'] as const;
const deal = { close: 100, nego_volume: 100, nego_value: 10_000 };
const panel = panelOf([
  { ticker: 'AAAA', date: MON, ...deal },
  { ticker: 'AAAA', date: TUE, ...deal },
]);
const row = (date: string, broker: string, buy_value: number, sell_value: number): FlowRowFixture => ({
  ticker: 'AAAA',
  date,
  market: 'NEGO',
  broker,
  buy_value,
  sell_value,
});
const MONDAY = [row(MON, 'AP', 9_000, 9_000), row(MON, 'XL', 1_000, 0), row(MON, 'YP', 0, 1_000)];

function leaders(rows: FlowRowFixture[], firstDay = 0, lastDay = firstDay): (string | undefined)[] {
  const flow = brokerFlowOf(panel, rows);
  const { buyer, seller } = negoLeaders(panel, flow, 0, firstDay, lastDay);
  return [flow.columns.brokers.codes[buyer], flow.columns.brokers.codes[seller]];
}

test('the broker that crossed a block leads both sides', () => {
  expect(leaders(MONDAY)).toEqual(['AP', 'AP']);
});

test('over several days the largest sum leads, and ties go by code', () => {
  const tuesday = [row(TUE, 'XL', 9_000, 2_000), row(TUE, 'YP', 1_000, 8_000)];
  expect(leaders([...MONDAY, ...tuesday], 0, 1)).toEqual(['XL', 'AP']);
  expect(leaders([row(MON, 'CC', 5, 0), row(MON, 'BB', 5, 10)])).toEqual(['BB', 'BB']);
});

test('a side without brokers has no leader', () => {
  expect(leaders([row(MON, 'CC', 5, 0)])).toEqual(['CC', undefined]);
});

test('the leader is unknown when rows of a negotiated day are missing or only net', () => {
  expect(leaders(MONDAY, 0, 1)).toEqual([undefined, undefined]);
  expect(leaders([])).toEqual([undefined, undefined]);
  expect(leaders(MONDAY.map((one) => ({ ...one, mode: 'net' })))).toEqual([undefined, undefined]);
});
