import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { panelOf } from '../panel/panel-fixture.ts';
import { brokerStocks, brokerTotals, oneBrokerTotal, netValue } from './broker-totals.ts';
import { classTotals } from './class-totals.ts';
import { brokerFlowOf, type FlowRowFixture } from './flow-fixture.ts';
import { MARKETS } from './broker-flow.ts';
import { BROKER_TABLE } from '../broker-features/random-flow-fixture.ts';

const DATES = ['2024-06-26', '2024-06-27', '2024-06-28'] as const;

/** A 1:5 split on the second day: 100 shares become 500. */
const split = panelOf([
  { ticker: 'AAAA', date: DATES[0], close: 1_000, volume: 300 },
  { ticker: 'AAAA', date: DATES[1], close: 200, factor: 0.2, share_factor: 0.2, volume: 1_000 },
  { ticker: 'AAAA', date: DATES[2], close: 210, volume: 500 },
  { ticker: 'BBBB', date: DATES[2], close: 50 },
]);
const rows: FlowRowFixture[] = [
  { ticker: 'AAAA', date: DATES[0], broker: 'AK', buy_shares: 200, buy_value: 200_000 },
  {
    ticker: 'AAAA',
    date: DATES[0],
    broker: 'CC',
    buy_shares: 100,
    buy_value: 101_000,
    sell_shares: 300,
    sell_value: 301_000,
  },
  {
    ticker: 'AAAA',
    date: DATES[1],
    broker: 'AK',
    buy_shares: 1_000,
    buy_value: 200_000,
    sell_shares: 1_000,
    sell_value: 200_000,
  },
  { ticker: 'AAAA', date: DATES[2], broker: 'AK', sell_shares: 500, sell_value: 105_000 },
  { ticker: 'AAAA', date: DATES[2], broker: 'XL', buy_shares: 500, buy_value: 105_000 },
  {
    ticker: 'AAAA',
    date: DATES[2],
    broker: 'XL',
    market: 'NEGO',
    buy_shares: 7,
    buy_value: 700,
    sell_shares: 7,
    sell_value: 700,
  },
  { ticker: 'BBBB', date: DATES[2], broker: 'AK', buy_shares: 10, buy_value: 500 },
];
const flow = brokerFlowOf(split, rows, BROKER_TABLE);
const AAAA = { market: 'REG', ticker: 0, firstDay: 0, lastDay: 2 } as const;
const codeOf = (broker: number) => flow.columns.brokers.codes[broker];

describe('the broker totals of a stock', () => {
  test('sum the days, with shares restated to the last day and values unchanged', () => {
    expect(brokerTotals(split, flow, AAAA).map(({ broker, ...total }) => [codeOf(broker), total])).toEqual([
      [
        'AK',
        {
          buyShares: 200 * 5 + 1_000,
          buyUnits: 200 * 5 + 1_000,
          buyValue: 400_000,
          sellShares: 1_500,
          sellUnits: 1_500,
          sellValue: 305_000,
          activeDays: 3,
          netBuyDays: 1,
          netSellDays: 1,
          hasNetRows: false,
        },
      ],
      [
        'CC',
        {
          buyShares: 500,
          buyUnits: 500,
          buyValue: 101_000,
          sellShares: 1_500,
          sellUnits: 1_500,
          sellValue: 301_000,
          activeDays: 1,
          netBuyDays: 0,
          netSellDays: 1,
          hasNetRows: false,
        },
      ],
      [
        'XL',
        {
          buyShares: 500,
          buyUnits: 500,
          buyValue: 105_000,
          sellShares: 0,
          sellUnits: 0,
          sellValue: 0,
          activeDays: 1,
          netBuyDays: 1,
          netSellDays: 0,
          hasNetRows: false,
        },
      ],
    ]);
  });

  test('mark only the brokers that have a net row', () => {
    const net = rows.map((row) => (row.date === DATES[2] ? { ...row, mode: 'net' as const } : row));
    const given = brokerFlowOf(split, net, BROKER_TABLE);
    const netRows = brokerTotals(split, given, AAAA).map(({ broker, hasNetRows }) => [
      given.columns.brokers.codes[broker],
      hasNetRows,
    ]);
    expect(Object.fromEntries(netRows)).toEqual({ AK: true, CC: false, XL: true });
  });

  test('before a split count shares as of that day, or as of the requested day', () => {
    const [first] = brokerTotals(split, flow, { ...AAAA, lastDay: 0 });
    expect(first).toMatchObject({ buyShares: 200, buyUnits: 200, buyValue: 200_000 });
    const [asOfLast] = brokerTotals(split, flow, { ...AAAA, lastDay: 0, asOfDay: 2 });
    expect(asOfLast).toMatchObject({ buyShares: 1_000, buyUnits: 1_000, buyValue: 200_000 });
  });

  test('across a rights issue count shares unadjusted, and units that give the adjusted average price', () => {
    const rights = panelOf([
      { ticker: 'AAAA', date: DATES[0], close: 1_000 },
      { ticker: 'AAAA', date: DATES[1], close: 900, factor: 0.9 },
    ]);
    const bought = { ticker: 'AAAA', broker: 'AK', buy_shares: 90 };
    const held = brokerFlowOf(rights, [
      { ...bought, date: DATES[0], buy_value: 90_000 },
      { ...bought, date: DATES[1], buy_value: 81_000 },
    ]);
    const [total] = brokerTotals(rights, held, { market: 'REG', ticker: 0, firstDay: 0, lastDay: 1 });
    expect(total).toMatchObject({ buyShares: 180, buyUnits: 190, buyValue: 171_000 });
    expect(total!.buyValue / total!.buyUnits).toBe(900);
  });

  test('keep the negotiated market apart from the regular one', () => {
    const totals = brokerTotals(split, flow, { ...AAAA, market: 'NEGO' });
    expect(totals.map(({ broker, buyValue, sellValue }) => [codeOf(broker), buyValue, sellValue])).toEqual([
      ['XL', 700, 700],
    ]);
  });

  test('are empty for a span without rows or outside the held days', () => {
    const held = brokerFlowOf(
      split,
      rows.filter(({ date }) => date === DATES[2]),
      BROKER_TABLE,
      {
        firstDay: 2,
        lastDay: 2,
      },
    );
    expect(brokerTotals(split, held, { ...AAAA, lastDay: 1 })).toEqual([]);
    expect(brokerTotals(split, held, AAAA)).toHaveLength(2);
    expect(oneBrokerTotal(split, held, { ...AAAA, lastDay: 1 }, 0)).toBeUndefined();
  });

  test('of one broker list the stocks it traded, by ticker', () => {
    const stocks = brokerStocks(split, flow, { market: 'REG', firstDay: 1, lastDay: 2 }, 0);
    expect(stocks.map(({ ticker, buyValue, sellValue }) => [ticker, buyValue, sellValue])).toEqual([
      [0, 200_000, 305_000],
      [1, 500, 0],
    ]);
    expect(brokerStocks(split, flow, { market: 'REG', firstDay: 0, lastDay: 2 }, 3)).toEqual([]);
  });
});

describe('the class totals', () => {
  test('cover foreign, retail and other brokers; the top five sums are net and their share is gross', () => {
    const day = (broker: string, buy_value: number, sell_value = 0) => ({
      ticker: 'AAAA',
      date: DATES[2],
      broker,
      buy_value,
      sell_value,
      buy_shares: buy_value / 50,
      sell_shares: sell_value / 50,
    });
    const many = brokerFlowOf(
      split,
      [
        day('AK', 1_000, 400),
        day('XL', 300, 900),
        day('YP', 200),
        day('CC', 500, 100),
        day('DH', 400, 500),
        day('MG', 350, 350),
        day('NI', 250),
        day('OD', 100, 700),
        day('RX', 0, 150),
      ],
      [...BROKER_TABLE, { code: 'RX', is_foreign: true }],
    );
    const span = { market: 'REG', ticker: 0, firstDay: 2, lastDay: 2 } as const;
    expect(classTotals(many.columns.brokers, brokerTotals(split, many, span))).toEqual({
      buyValue: 3_100,
      sellValue: 3_100,
      buyShares: 62,
      sellShares: 62,
      foreignBuyValue: 1_000,
      foreignSellValue: 550,
      retailNetValue: -400,
      bandarNetValue: -50,
      // Net buyers: AK 600, CC 400, NI 250, YP 200. Net sellers: XL and OD 600, RX 150, DH 100.
      top5BuyerNetValue: 1_450,
      top5SellerNetValue: -1_450,
      concentration: (1_000 + 500 + 400 + 350 + 300) / 3_100,
    });
  });

  test('have no concentration when nothing was bought', () => {
    expect(classTotals(flow.columns.brokers, [])).toMatchObject({ buyValue: 0, concentration: null });
  });
});

const arbitraryRows: fc.Arbitrary<FlowRowFixture[]> = fc.uniqueArray(
  fc.record({
    ticker: fc.constant('AAAA'),
    date: fc.constantFrom(...DATES),
    broker: fc.constantFrom('AK', 'CC', 'XL', 'YP', 'ZZ'),
    market: fc.constantFrom(...MARKETS),
    buy_value: fc.nat(),
    sell_value: fc.nat(),
    buy_shares: fc.nat({ max: 1_000 }),
    sell_shares: fc.nat({ max: 1_000 }),
  }),
  { selector: ({ date, broker, market }) => `${date} ${broker} ${market}` },
);

test('for any rows, classes add up to the total, days to the window, and row order does not matter', () => {
  fc.assert(
    fc.property(arbitraryRows, fc.constantFrom(...MARKETS), (some, market) => {
      const given = brokerFlowOf(split, some, BROKER_TABLE);
      const { brokers } = given.columns;
      const span = { ...AAAA, market };
      const totals = brokerTotals(split, given, span);
      expect(totals).toEqual(brokerTotals(split, brokerFlowOf(split, some.toReversed(), BROKER_TABLE), span));
      for (const total of totals) expect(total).toEqual(oneBrokerTotal(split, given, span, total.broker));

      const classes = classTotals(brokers, totals);
      const foreignNet = classes.foreignBuyValue - classes.foreignSellValue;
      expect(foreignNet + classes.retailNetValue + classes.bandarNetValue).toBe(
        classes.buyValue - classes.sellValue,
      );
      const days = [0, 1, 2].map((day) =>
        classTotals(brokers, brokerTotals(split, given, { ...span, firstDay: day, lastDay: day })),
      );
      expect(days.reduce((sum, { buyValue }) => sum + buyValue, 0)).toBe(classes.buyValue);
      expect(days.reduce((sum, { bandarNetValue }) => sum + bandarNetValue, 0)).toBe(classes.bandarNetValue);
      expect(classes.top5BuyerNetValue + classes.top5SellerNetValue).toBe(
        totals.reduce((sum, total) => sum + netValue(total), 0),
      );
    }),
  );
});
