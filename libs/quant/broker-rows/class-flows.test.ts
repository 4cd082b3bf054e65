import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isoFromEpochDay } from '#foundation/iso-day.ts';
import { panelOf } from '../panel/panel-fixture.ts';
import { BROKER_CLASSES, classFlowColumns, ClassFlows } from './class-flows.ts';
import { brokerFlowOf, type FlowRowFixture } from './flow-fixture.ts';
import type { DaySpan } from '../panel/ranges.ts';
import { BROKER_TABLE } from '../broker-features/random-flow-fixture.ts';

const day = (number: number) => `2024-06-${String(number).padStart(2, '0')}`;

describe('the flows of classes', () => {
  const panel = panelOf([
    { ticker: 'AAAA', date: day(3), close: 100 },
    { ticker: 'AAAA', date: day(4), close: 100 },
    { ticker: 'AAAA', date: day(5), close: 100, volume: 0 },
    { ticker: 'AAAA', date: day(6), close: 100 },
    { ticker: 'AAAA', date: day(7), close: 100 },
    { ticker: 'BBBB', date: day(6), close: 100 },
  ]);
  const rows: FlowRowFixture[] = [
    { ticker: 'AAAA', date: day(3), broker: 'XL', buy_value: 700, buy_shares: 7 },
    {
      ticker: 'AAAA',
      date: day(3),
      broker: 'YP',
      buy_value: 100,
      buy_shares: 1,
      sell_value: 250,
      sell_shares: 2,
    },
    { ticker: 'AAAA', date: day(3), broker: 'AK', sell_value: 450, sell_shares: 5 },
    { ticker: 'AAAA', date: day(3), broker: 'CC', sell_value: 100, sell_shares: 1 },
    { ticker: 'AAAA', date: day(3), broker: 'CC', market: 'NEGO', buy_value: 9_999 },
    { ticker: 'AAAA', date: day(4), broker: 'ZZ', mode: 'net', buy_value: 30 },
    { ticker: 'AAAA', date: day(4), broker: 'XL', mode: 'net', sell_value: 30 },
    { ticker: 'AAAA', date: day(7), broker: 'CC', buy_value: 5, sell_value: 5 },
  ];
  const flowsOf = (of: FlowRowFixture[], span?: DaySpan) =>
    new ClassFlows(classFlowColumns(panel, brokerFlowOf(panel, of, BROKER_TABLE, span)));
  const flows = flowsOf(rows);

  test('are bought minus sold in the regular market, in value and in shares', () => {
    const at = flows.at(0, 0);
    const { retail, foreign, bandar } = flows.columns;
    expect([retail.value[at], foreign.value[at], bandar.value[at]]).toEqual([550, -450, -100]);
    expect([retail.shares[at], foreign.shares[at], bandar.shares[at]]).toEqual([6, -5, -1]);
  });

  test('count a broker missing from the table as a local institution, and net rows as they are', () => {
    expect(flows.netValue('bandar', 0, 1, 1)).toBe(30);
    expect(flows.netValue('bandar', 0, 1, 2)).toBe(-70);
    expect(flows.netValue('retail', 0, 1, 2)).toBe(520);
  });

  test('are known only on days with rows or without trading', () => {
    expect([0, 1, 2, 3, 4].map((date) => flows.isKnown(0, date))).toEqual([true, true, true, false, true]);
    expect(flows.netValue('retail', 0, 2, 1)).toBe(0);
    expect(flows.isKnown(1, 0)).toBe(true);
    expect(flows.isKnown(1, 3)).toBe(false);
  });

  test('are null over a span with an unknown day, and 0 when the brokers were flat', () => {
    expect(flows.netValue('bandar', 0, 4, 2)).toBeNull();
    expect(flows.netValue('bandar', 0, 4, 1)).toBe(0);
    expect(flows.netValue('bandar', 0, 2, 3)).toBe(-70);
  });

  test('stop at the first day of the panel, and are null before the first held day', () => {
    expect(flows.netValue('retail', 0, 1, 60)).toBe(520);
    const newest = flowsOf(rows.slice(5), { firstDay: 1, lastDay: 4 });
    expect(newest.netValue('bandar', 0, 1, 1)).toBe(30);
    expect(newest.netValue('bandar', 0, 1, 2)).toBeNull();
    expect(newest.isKnown(0, 5)).toBe(false);
  });

  test('are known on no day, not even days without trading, when there is no row at all', () => {
    const none = flowsOf([]);
    expect(none.isKnown(0, 2)).toBe(false);
    expect(none.netValue('retail', 0, 2, 1)).toBeNull();
  });
});

test('class flows cancel out where buys equal sells, whatever the order of the rows', () => {
  const tickers = ['AAAA', 'BBBB'];
  const dates = Array.from({ length: 4 }, (_, i) => isoFromEpochDay(19_800 + i));
  const panel = panelOf(tickers.flatMap((ticker) => dates.map((date) => ({ ticker, date, close: 100 }))));
  const trade = fc.record({
    ticker: fc.constantFrom(...tickers),
    date: fc.constantFrom(...dates),
    buyer: fc.constantFrom('AK', 'CC', 'XL', 'YP'),
    seller: fc.constantFrom('AK', 'CC', 'XL', 'YP'),
    value: fc.nat(1e12),
  });
  const columnsOf = (rows: FlowRowFixture[]) =>
    classFlowColumns(panel, brokerFlowOf(panel, rows, BROKER_TABLE));
  fc.assert(
    fc.property(fc.array(trade, { minLength: 1 }), (trades) => {
      const rows = rowsOf(trades);
      const columns = columnsOf(rows);
      columns.isKnown.forEach((_, at) => {
        const sum = BROKER_CLASSES.reduce((total, of) => total + columns[of].value[at]!, 0);
        expect(sum).toBe(0);
      });
      expect(columnsOf(rows.toReversed())).toEqual(columns);
    }),
  );
});

interface Trade {
  ticker: string;
  date: string;
  buyer: string;
  seller: string;
  value: number;
}

/** Turns each trade into a purchase of one broker and a sale of another, with one row for each broker of a stock-day. */
function rowsOf(trades: Trade[]): FlowRowFixture[] {
  const rows = new Map<string, Required<Pick<FlowRowFixture, 'buy_value' | 'sell_value'>> & FlowRowFixture>();
  for (const { ticker, date, buyer, seller, value } of trades) {
    for (const broker of [buyer, seller]) {
      const key = `${ticker} ${date} ${broker}`;
      if (!rows.has(key)) rows.set(key, { ticker, date, broker, buy_value: 0, sell_value: 0 });
    }
    rows.get(`${ticker} ${date} ${buyer}`)!.buy_value += value;
    rows.get(`${ticker} ${date} ${seller}`)!.sell_value += value;
  }
  return [...rows.values()];
}
