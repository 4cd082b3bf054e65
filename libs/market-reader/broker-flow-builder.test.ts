import fc from 'fast-check';
import { expect, test } from 'vitest';
import { panelOf } from '#quant/panel/panel-fixture.ts';
import { numberAt } from '#quant/broker-rows/packed-column.ts';
import { brokerFlowOf, type FlowRowFixture } from '#quant/broker-rows/flow-fixture.ts';

const DATES = ['2024-06-26', '2024-06-27', '2024-06-28'];
const TICKERS = ['AAAA', 'BBBB'];
const panel = panelOf(TICKERS.flatMap((ticker) => DATES.map((date) => ({ ticker, date, close: 100 }))));

const arbitraryRows: fc.Arbitrary<FlowRowFixture[]> = fc.uniqueArray(
  fc.record({
    ticker: fc.constantFrom(...TICKERS),
    date: fc.constantFrom(...DATES),
    broker: fc.constantFrom('AK', 'CC', 'XL', 'YP'),
    market: fc.constantFrom('REG' as const, 'NEGO' as const),
    buy_value: fc.nat(),
    sell_shares: fc.oneof(fc.nat(), fc.constantFrom(2 ** 32 - 1, 2 ** 32, 2 ** 40)),
  }),
  { selector: ({ ticker, date, broker, market }) => `${ticker} ${date} ${broker} ${market}` },
);

test('every row, and no other, is found by stock, day and market, in broker order', () => {
  fc.assert(
    fc.property(arbitraryRows, (rows) => {
      const flow = brokerFlowOf(panel, rows);
      const found = (['REG', 'NEGO'] as const).flatMap((market) =>
        TICKERS.flatMap((ticker) => DATES.flatMap((date) => rowsOf(flow, market, ticker, date))),
      );
      const key = (row: FlowRowFixture) => `${row.market} ${row.ticker} ${row.date} ${row.broker}`;
      expect(found.map((row) => [key(row), row.buy_value, row.sell_shares])).toEqual(
        rows
          .toSorted((a, b) => TO_ORDER(a).localeCompare(TO_ORDER(b)))
          .map((row) => [key(row), row.buy_value, row.sell_shares]),
      );
    }),
  );
});

test('the rows of several days form one range, limited to the held days', () => {
  const rows = DATES.map((date) => ({ ticker: 'BBBB', date, broker: 'AK', buy_value: 1 }));
  const flow = brokerFlowOf(panel, rows.slice(1), [], { firstDay: 1, lastDay: 2 });
  const { from, to } = flow.rows('REG', 1, 0, 2);
  expect(to - from).toBe(2);
  expect(flow.rows('REG', 1, 0)).toEqual({ from: 0, to: 0 });
  expect(flow.holds(0)).toBe(false);
});

test('a row for a day or stock without bars is refused', () => {
  const row = { broker: 'AK', buy_value: 1 };
  expect(() => brokerFlowOf(panel, [{ ...row, ticker: 'AAAA', date: '2024-06-29' }])).toThrow(RangeError);
  expect(() => brokerFlowOf(panel, [{ ...row, ticker: 'CCCC', date: '2024-06-28' }])).toThrow(RangeError);
});

test('net rows are distinguished from gross ones by stock-day and market', () => {
  const flow = brokerFlowOf(panel, [{ ticker: 'AAAA', date: DATES[1]!, broker: 'AK', mode: 'net' }]);
  expect(flow.isNet('REG', 0, 1)).toBe(true);
  expect(flow.isNet('NEGO', 0, 1)).toBe(false);
  expect(flow.isNet('REG', 0, 7)).toBe(false);
});

const TO_ORDER = ({ market, ticker, date, broker }: FlowRowFixture) =>
  `${market === 'REG' ? 0 : 1} ${ticker} ${date} ${broker}`;

function rowsOf(
  flow: ReturnType<typeof brokerFlowOf>,
  market: 'REG' | 'NEGO',
  ticker: string,
  date: string,
): FlowRowFixture[] {
  const { columns } = flow;
  const { from, to } = flow.rows(market, panel.tickerIndex(ticker), DATES.indexOf(date));
  return Array.from({ length: to - from }, (_, i) => ({
    market,
    ticker,
    date,
    broker: columns.brokers.codes[columns.broker[from + i]!]!,
    buy_value: numberAt(columns.buy_value, from + i),
    sell_shares: numberAt(columns.sell_shares, from + i),
  }));
}
