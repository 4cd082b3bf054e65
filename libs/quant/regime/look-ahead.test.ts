import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { marketOverview } from '../overview/market-overview.ts';
import { panelOf, type BarFixture } from '../panel/panel-fixture.ts';
import type { Panel } from '../panel/panel.ts';
import { turningPoint } from '../turning-point/turning-point.ts';
import { syntheticBars } from '../panel/generated-bars-fixture.ts';
import { regimeHistory } from './regime.ts';

const DAYS = 160;
const bars = syntheticBars({ seed: 7, tickers: 25, days: DAYS });
const anyDay = fc.integer({ min: 25, max: DAYS - 2 });
let whole: Panel;

/** The market up to a day, and the same with a different future: other prices, volumes and corporate actions. */
function pasts(day: number): Panel[] {
  const until = whole.columns.dates[day]!;
  const changed = (bar: BarFixture) => ({
    ...bar,
    close: 7,
    open: 7,
    high: 7,
    low: 7,
    volume: 1,
    value: 9e12,
    factor: 0.25,
    share_factor: 0.25,
  });
  return [
    panelOf(bars.filter(({ date }) => date <= until)),
    panelOf(bars.map((bar) => (bar.date <= until ? bar : changed(bar)))),
  ];
}

beforeAll(() => {
  whole = panelOf(bars);
});

describe('rows after a day do not change', () => {
  test('its regime and score, or those of earlier days', () => {
    const history = regimeHistory(whole);
    expect(new Set(history.score).size).toBeGreaterThan(DAYS / 2);
    fc.assert(
      fc.property(anyDay, (day) => {
        for (const past of pasts(day)) {
          const known = regimeHistory(past);
          expect(known.score.slice(0, day + 1)).toEqual(history.score.slice(0, day + 1));
          expect(known.regime.slice(0, day + 1)).toEqual(history.regime.slice(0, day + 1));
        }
      }),
      { numRuns: 15 },
    );
  });

  test('its overview', () => {
    const history = regimeHistory(whole);
    fc.assert(
      fc.property(anyDay, (day) => {
        const overview = marketOverview(whole, history, day);
        expect(overview.liquidStocks).toBeGreaterThan(0);
        for (const past of pasts(day)) {
          expect(marketOverview(past, regimeHistory(past), day)).toEqual(overview);
        }
      }),
      { numRuns: 10 },
    );
  });

  test('its turning points', () => {
    let scored = 0;
    fc.assert(
      fc.property(anyDay, fc.integer({ min: 2, max: 60 }), (asOfDay, lookback) => {
        const points = (panel: Panel) =>
          whole.columns.tickers
            .map((ticker) => panel.tickerIndex(ticker))
            .filter((index) => index >= 0 && panel.lastRow(index, asOfDay) >= 0)
            .map((index) => turningPoint(panel, index, { asOfDay, lookback }));
        const known = points(whole);
        scored += known.filter(({ score }) => score !== 0).length;
        for (const past of pasts(asOfDay)) expect(points(past)).toEqual(known);
      }),
      { numRuns: 15 },
    );
    expect(scored).toBeGreaterThan(0);
  });
});
