import fc from 'fast-check';
import { expect, test } from 'vitest';
import { panelOf, type BarFixture } from '../panel/panel-fixture.ts';
import type { Panel } from '../panel/panel.ts';
import { tradedRows } from '../regime/traded-rows.ts';
import { generatedBars } from '../regime/market-fixture.ts';
import { candidates, type Candidate } from './candidates.ts';
import { tradableRows } from './tradable-rows.ts';

const DAYS = 170;
const market = generatedBars({ seed: 3, tickers: 12, days: DAYS });

/** What the fast form says, in the order in which `candidates` says it of each day. */
function fastCandidates(panel: Panel): Candidate[][] {
  const { tickers, day, close } = panel.columns;
  const days: Candidate[][] = Array.from({ length: panel.dayCount }, () => []);
  for (const [ticker, code] of tickers.entries()) {
    const traded = tradedRows(panel, ticker);
    const { bar, averageValue } = tradableRows(panel, ticker, traded);
    bar.forEach((index, i) => {
      const r = traded[index]!;
      days[day[r]!]!.push({ ticker, code, close: close[r]!, averageValue: averageValue[i]! });
    });
  }
  return days;
}

const slowCandidates = (panel: Panel) =>
  Array.from({ length: panel.dayCount }, (_, day) => candidates(panel, day));

/** Days without a trade, bars of one price, under the floor, at the narrow limits and beyond them; rows left out. */
type Event = (bar: BarFixture) => BarFixture[];
const arbitraryEvent = fc.constantFrom<Event[]>(
  () => [],
  (bar) => [{ ...bar, volume: 0, high: bar.close, low: bar.close }],
  (bar) => [{ ...bar, high: bar.close, low: bar.close }],
  (bar) => [{ ...bar, low: 49 }],
  (bar) => [{ ...bar, previous: 1_000, low: 1_000, high: 1_100, close: 1_100 }],
  (bar) => [{ ...bar, previous: 1_000, low: 900, high: 1_000, close: 900 }],
  (bar) => [{ ...bar, previous: 1_000, low: 1_000, high: 1_200, close: 1_150 }],
);
const arbitraryEvents = fc.array(fc.record({ at: fc.nat(market.length - 1), happens: arbitraryEvent }), {
  maxLength: 150,
  size: 'max',
});

test('one pass over a ticker finds, for every day, exactly the candidates of that day', () => {
  let found = 0;
  fc.assert(
    fc.property(arbitraryEvents, (events) => {
      const eventAt = new Map(events.map(({ at, happens }) => [at, happens]));
      const panel = panelOf(market.flatMap((bar, i) => eventAt.get(i)?.(bar) ?? [bar]));
      const expected = slowCandidates(panel);
      expect(fastCandidates(panel)).toEqual(expected);
      found += expected.flat().length;
    }),
    { numRuns: 25 },
  );
  expect(found).toBeGreaterThan(1_000);
});
