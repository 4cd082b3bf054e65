import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseRules } from '../rules/parse-rules.ts';
import { arbitraryRules, FIELDS } from '../rules/rules-fixture.ts';
import { needsOf } from '../rules/needs.ts';
import { evaluateDay, evaluateDays } from './evaluate.ts';
import { explain, type Explanation } from './explain.ts';
import { isNumbers, type Column, type MarketColumns } from './market-columns.ts';
import {
  arbitraryMarket,
  columnsOf,
  isMet,
  passingOf,
  type PlainMarket,
  type StockDay,
} from './naive-evaluator-fixture.ts';

const rulesAndMarket = fc.tuple(arbitraryRules, arbitraryMarket);

describe('an evaluation', () => {
  test('of all days, and of a day alone, finds what an evaluation stock by stock finds', () => {
    fc.assert(
      fc.property(rulesAndMarket, ([rules, plain]) => {
        const market = columnsOf(plain);
        const found = evaluateDays(rules, market, { firstDay: 0, lastDay: plain.length - 1 });
        for (let day = 0; day < plain.length; day++) {
          const passing = passingOf(rules, plain, day);
          const ofDay = found.stocks.subarray(found.starts[day], found.starts[day + 1]);
          const alone = evaluateDay(rules, market, day);
          for (const tickers of [
            Array.from(ofDay, (stock) => market.tickers[stock]),
            alone.stocks.map(({ ticker }) => ticker),
          ])
            expect(tickers).toEqual(passing.slice(0, rules.limit));
          expect([found.matched[day], alone.matched]).toEqual([passing.length, passing.length]);
        }
      }),
      { numRuns: 1500 },
    );
  });

  test('that nobody waits for any more compares nothing else and sorts no other day', () => {
    const rules = parseRules(`${'close > 1 or '.repeat(49)} close > 2 sort by close`, FIELDS);
    const { fields, ...market } = columnsOf(Array.from({ length: 40 }, () => [stock('AAAA', { close: 3 })]));
    const readsUntil = (unwantedAt: number): number => {
      let reads = 0;
      const counted = new Proxy(fields, { get: (of, name: string) => (reads++, of[name]) });
      const isUnwanted = () => reads >= unwantedAt;
      const watched = { ...market, fields: counted, isUnwanted };
      expect(() => evaluateDays(rules, watched, { firstDay: 0, lastDay: 39 })).toThrow('nobody waits');
      return reads;
    };
    // Fifty comparisons, and then forty days.
    for (const unwantedAt of [0, 20, 45, 60]) expect(readsUntil(unwantedAt)).toBeLessThan(unwantedAt + 5);
  });

  test('of a day reads no later day, and no more earlier days than it says', () => {
    fc.assert(
      fc.property(rulesAndMarket, ([rules, plain]) => {
        const market = columnsOf(plain);
        const day = plain.length >> 1;
        const { daysBack, fields } = needsOf(rules);
        const poisoned = poisonedBut(market, fields, day - daysBack, day);
        expect(evaluateDay(rules, poisoned, day)).toEqual(evaluateDay(rules, market, day));
      }),
      { numRuns: 500 },
    );
  });
});

/** Other numbers in all fields but the given ones, and on all days but those from `firstDay` to `lastDay`. */
function poisonedBut(
  market: MarketColumns,
  fields: readonly string[],
  firstDay: number,
  lastDay: number,
): MarketColumns {
  const stocks = market.tickers.length;
  const poisoned = <T extends Float32Array | Uint8Array | Uint16Array>(array: T, poison: number): T => {
    const copy = array.slice() as T;
    for (let at = 0; at < copy.length; at++) {
      const day = Math.floor(at / stocks);
      if (day < firstDay || day > lastDay) copy[at] = poison;
    }
    return copy;
  };
  const column = (one: Column): Column =>
    isNumbers(one)
      ? {
          values: poisoned(one.values, 77),
          ...(one.factors && { factors: poisoned(one.factors, 13) }),
        }
      : { ...one, codes: poisoned(one.codes, 0) };
  return {
    ...market,
    fields: Object.fromEntries(fields.map((name) => [name, column(market.fields[name]!)])),
    listed: poisoned(market.listed, 1),
    liquid: poisoned(market.liquid, 1),
  };
}

const stock = (ticker: string, values: StockDay['values'], factor = 1): StockDay => {
  const none = Object.fromEntries([...FIELDS.keys()].map((name) => [name, null]));
  return { ticker, isListed: true, isLiquid: true, values: { ...none, ...values }, factor };
};
const tickersOf = (text: string, plain: PlainMarket) =>
  evaluateDay(parseRules(text, FIELDS), columnsOf(plain), plain.length - 1).stocks.map(
    ({ ticker }) => ticker,
  );

test('a number with more digits than 32 bits hold equals the value that was rounded in the same way', () => {
  const plain = [[stock('AAAA', { rsi_14: 0.1 })]];
  expect(tickersOf('rsi_14 = 0.1', plain)).toEqual(['AAAA']);
  expect(tickersOf('rsi_14 > 0.1', plain)).toEqual([]);
  const { stocks } = evaluateDay(parseRules('rsi_14 = 0.1', FIELDS), columnsOf(plain), 0);
  expect(stocks).toEqual([{ ticker: 'AAAA', values: { rsi_14: 0.1 } }]);
  const said = explain(parseRules('rsi_14 > 0.1', FIELDS), columnsOf(plain), 0, 0);
  expect(said).toMatchObject({ met: false, value: 0.1, threshold: 0.1, margin: 0 });
});

test('a match shows every value that the rules read of it', () => {
  const plain = [[stock('AAAA', { close: 100, sma_20: 90, value_20d: 7, sector: 'Energy', rsi_14: 30 })]];
  const rules = parseRules(
    "close > 1.02 * sma_20 and rank(value_20d) <= 5 and sector = 'Energy' sort by rsi_14",
    FIELDS,
  );
  expect(evaluateDay(rules, columnsOf(plain), 0)).toEqual({
    matched: 1,
    stocks: [
      {
        ticker: 'AAAA',
        values: { close: 100, sma_20: 90, 'rank(value_20d)': 1, sector: 'Energy', rsi_14: 30 },
      },
    ],
  });
});

describe('an explanation', () => {
  test('says of every part what an evaluation stock by stock says', () => {
    fc.assert(
      fc.property(rulesAndMarket, ([rules, plain]) => {
        const market = columnsOf(plain);
        const day = plain.length - 1;
        plain[day]!.forEach(({ ticker }, at) => {
          const said = explain(rules, market, day, at);
          expect(said === undefined).toBe(rules.where === undefined);
          if (!said) return;
          const check = (condition: typeof rules.where, explanation: Explanation): void => {
            expect(explanation.met).toBe(isMet(condition!, plain, day, ticker));
            const parts =
              'all' in condition!
                ? condition.all
                : 'any' in condition!
                  ? condition.any
                  : 'not' in condition!
                    ? [condition.not]
                    : [];
            parts.forEach((part, i) => check(part, explanation.parts![i]!));
            const { margin, met } = explanation;
            if (typeof margin === 'number' && margin !== 0) expect(margin > 0).toBe(met);
          };
          check(rules.where, said);
        });
      }),
      { numRuns: 500 },
    );
  });

  test('gives value, threshold and by how much', () => {
    const plain = [
      [stock('AAAA', { close: 100, sma_20: 90, rsi_14: 40, sector: 'Energy' })],
      [stock('AAAA', { close: 80, sma_20: 90, rsi_14: 42, sector: 'Energy' })],
      [stock('AAAA', { close: 85, sma_20: 90, rsi_14: null, sector: 'Energy' })],
    ];
    const rules = parseRules(
      "close > 1.1 * sma_20 and rsi_14 < 35 and not sector = 'Energy' and close crossed below sma_20 within 5 days " +
        'and change(close, 1d) between 1% and 10%',
      FIELDS,
    );
    expect(explain(rules, columnsOf(plain), 2, 0)).toEqual({
      rule: expect.any(String) as string,
      met: false,
      parts: [
        { rule: 'close > 1.1 * sma_20', met: false, value: 85, threshold: 99, margin: -14 },
        { rule: 'rsi_14 < 35', met: null, value: null, threshold: 35, margin: null },
        {
          rule: "sector != 'Energy'",
          met: false,
          parts: [
            { rule: "sector = 'Energy'", met: true, value: 'Energy', threshold: 'Energy', margin: null },
          ],
        },
        {
          rule: 'close crossed below sma_20 within 5 days',
          met: true,
          value: 85,
          threshold: 90,
          margin: null,
          crossed_days_ago: 1,
        },
        {
          rule: 'change(close, 1d) between 1% and 10%',
          met: true,
          value: 6.25,
          threshold: [1, 10],
          margin: 3.75,
        },
      ],
    });
  });
});
