import fc from 'fast-check';
import { expect, test } from 'vitest';
import { panelOf } from '#quant/panel/panel-fixture.ts';
import type { Panel } from '#quant/panel/panel.ts';
import { BrokerFlow } from '#quant/broker-rows/broker-flow.ts';
import { FlowBuilder } from './broker-flow-builder.ts';
import { brokerFlowOf, brokersOf, rowBatch, type FlowRowFixture } from '#quant/broker-rows/flow-fixture.ts';
import { SharedMonths, type LoadedFlow } from './shared-months.ts';

const DATES = ['2024-04-29', '2024-04-30', '2024-05-02', '2024-05-03', '2024-06-03', '2024-06-04'];
const TICKERS = ['AAAA', 'BBBB', 'CCCC'];
const MONTHS = ['2024-04', '2024-05', '2024-06'];

const panelWith = (tickers: string[], dates: string[]) =>
  panelOf(tickers.flatMap((ticker) => dates.map((date) => ({ ticker, date, close: 100 }))));
const lastDays = (panel: Panel, count: number) => ({
  firstDay: Math.max(0, panel.dayCount - count),
  lastDay: panel.dayCount - 1,
});
const monthOf = ({ date }: FlowRowFixture) => date.slice(0, 7);

const arbitraryRows = fc.uniqueArray(
  fc.record({
    ticker: fc.constantFrom(...TICKERS),
    date: fc.constantFrom(...DATES),
    broker: fc.constantFrom('AK', 'CC', 'XL', 'YP'),
    market: fc.constantFrom('REG' as const, 'NEGO' as const),
    buy_value: fc.nat(),
    sell_shares: fc.nat(),
  }),
  { maxLength: 60, selector: ({ ticker, date, broker, market }) => `${ticker} ${date} ${broker} ${market}` },
);

/** Rows as the loader fills them: those of shared months are copied, the others read. */
function refilled(held: LoadedFlow, panel: Panel, rows: FlowRowFixture[], segments: string[], days: number) {
  const span = lastDays(panel, days);
  const dates = new Set(panel.columns.dates.slice(span.firstDay));
  const wanted = rows.filter(({ date }) => dates.has(date));
  const shared = new SharedMonths(held, panel, span, segments);
  const sharedMonths = shared.segments.map((segment) => segment.slice(0, 7));
  const unread = wanted.filter((row) => !sharedMonths.includes(monthOf(row)));
  const brokers = brokersOf(wanted, []);
  const batch = rowBatch(
    panel,
    unread.toSorted((a, b) => (a.broker < b.broker ? -1 : 1)),
    brokers.codes,
  );
  const builder = new FlowBuilder(panel, span, brokers);
  builder.copyCounts(shared);
  if (batch) builder.appendCounts(batch);
  builder.copyRows(shared);
  if (batch) builder.appendRows(batch);
  return {
    copied: sharedMonths,
    flow: new BrokerFlow(builder.finish()),
    whole: brokerFlowOf(panel, wanted, [], span),
  };
}

test('copying shared months gives the same rows as reading them', () => {
  fc.assert(
    fc.property(
      arbitraryRows,
      arbitraryRows,
      fc.subarray(MONTHS),
      fc.subarray(TICKERS, { minLength: 1 }),
      fc.integer({ min: 1, max: DATES.length }),
      fc.integer({ min: 1, max: DATES.length }),
      (rows, otherRows, changed, heldTickers, heldDays, days) => {
        // Unchanged months have the same rows for the stocks and days that both versions contain.
        const heldDates = DATES.slice(0, 5);
        const isKnown = (row: FlowRowFixture) =>
          heldTickers.includes(row.ticker) && heldDates.includes(row.date);
        const same = rows.filter((row) => !changed.includes(monthOf(row)) && isKnown(row));
        const [before, after] = [rows, otherRows].map((all) =>
          all.filter((row) => changed.includes(monthOf(row))),
        );
        const panelCache = panelWith(heldTickers, heldDates);
        const heldSpan = lastDays(panelCache, heldDays);
        const inWindow = panelCache.columns.dates.slice(heldSpan.firstDay);
        const heldRows = [...same, ...before!.filter(isKnown)].filter(({ date }) => inWindow.includes(date));
        const held = {
          panel: panelCache,
          flow: brokerFlowOf(panelCache, heldRows, [], heldSpan),
          segments: MONTHS.map((month) => `${month}.v1`),
        };
        const segments = MONTHS.map((month) => `${month}.${changed.includes(month) ? 'v2' : 'v1'}`);
        const { flow, whole } = refilled(
          held,
          panelWith(TICKERS, DATES),
          [...same, ...after!],
          segments,
          days,
        );
        expect(flow.columns).toEqual(whole.columns);
      },
    ),
    { numRuns: 300 },
  );
});

test('a month with an unchanged segment is copied only when every needed day of it is held', () => {
  const panel = panelWith(TICKERS, DATES);
  const heldFrom = (day: number) => {
    const span = { firstDay: day, lastDay: 5 };
    return {
      panel,
      flow: brokerFlowOf(panel, [], [], span),
      segments: ['2024-04.a', '2024-05.a', '2024-06.a'],
    };
  };
  const segments = ['2024-04.a', '2024-05.a', '2024-06.b'];
  const copied = (day: number, from: number) =>
    new SharedMonths(heldFrom(day), panel, { firstDay: from, lastDay: 5 }, segments).segments;
  expect(copied(0, 0)).toEqual(['2024-04.a', '2024-05.a']);
  expect(copied(1, 0)).toEqual(['2024-05.a']);
  expect(copied(1, 1)).toEqual(['2024-04.a', '2024-05.a']);
  expect(copied(3, 0)).toEqual([]);
});
