import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { panelOf, type BarFixture } from '../panel/panel-fixture.ts';
import type { Panel } from '../panel/panel.ts';
import { syntheticBars } from '../panel/generated-bars-fixture.ts';
import type { RegimeHistory } from '../regime/regime.ts';
import { tradedRows } from '../universe/liquidity.ts';
import { STOCK_FEATURES, MARKET_FEATURES } from './feature-definitions.ts';
import { NAIVE_FEATURES, pastOf } from './naive-features-fixture.ts';
import { StockBars } from './stock-bars.ts';

const DAYS = 260;
const bars = syntheticBars({ seed: 11, tickers: 30, days: DAYS });
let panel: Panel;
beforeAll(() => {
  panel = panelOf(bars);
});

const stockOf = (of: Panel, ticker: number) => new StockBars(of, ticker, tradedRows(of, ticker));

describe('the features of a stock', () => {
  test('each have a unique name, a formula and a source', () => {
    const names = STOCK_FEATURES.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const { name, formula, source } of STOCK_FEATURES) {
      expect(name).toMatch(/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/);
      for (const words of [formula, source]) expect(words).toMatch(/^\S.{4,}\S$/);
    }
  });

  test('all have a naive counterpart, and the market contains every event they look at', () => {
    expect(bars.some(({ share_factor }) => share_factor !== 1)).toBe(true);
    expect(bars.some(({ volume }) => volume === 0)).toBe(true);
    for (const column of ['foreign_buy', 'nego_value', 'frequency'] as const) {
      expect(bars.some((bar) => bar[column]! > 0)).toBe(true);
    }
    expect(Object.keys(NAIVE_FEATURES).toSorted()).toEqual(STOCK_FEATURES.map(({ name }) => name).toSorted());
  });

  test.each(STOCK_FEATURES)('$name is $formula', ({ name, of }) => {
    const values = panel.columns.tickers.map((_, ticker) => of(stockOf(panel, ticker)));
    const seen = new Set<number>();
    fc.assert(
      fc.property(fc.nat(panel.tickerCount - 1), fc.nat(DAYS), (ticker, drawn) => {
        const rows = tradedRows(panel, ticker);
        expect(values[ticker]).toHaveLength(rows.length);
        const bar = drawn % rows.length;
        const expected = NAIVE_FEATURES[name]!(pastOf(panel, ticker, panel.columns.day[rows[bar]!]!));
        expectSame(values[ticker]![bar]!, expected);
        if (!Number.isNaN(expected)) seen.add(expected);
      }),
      { numRuns: 200 },
    );
    expect(seen.size).toBeGreaterThan(10);
  });
});

/** Sums in another order differ in their last digits, and a difference of such sums differs more. */
function expectSame(value: number, expected: number): void {
  if (Number.isNaN(expected)) expect(value).toBeNaN();
  else expect(Math.abs(value - expected)).toBeLessThanOrEqual(1e-7 * Math.max(1, Math.abs(expected)));
}

test('a fully restated split changes no feature except the gaps to price limits', () => {
  const stock = bars.filter(({ ticker }) => ticker === bars[0]!.ticker);
  const halved = stock.map((bar, i) => (i < SPLIT_AT ? bar : halvedPrices(bar, i === SPLIT_AT)));
  const [before, after] = [panelOf(stock), panelOf(halved)];
  for (const { name, of } of STOCK_FEATURES.filter((feature) => !feature.name.endsWith('limit_gap'))) {
    expect(of(stockOf(after, 0)), name).toEqual(of(stockOf(before, 0)));
  }
});

const SPLIT_AT = 150;

/** Restates a bar as if one share had become two. On the first day the exchange restates the reference price. */
function halvedPrices(bar: BarFixture, isFirst: boolean): BarFixture {
  const halved = (price: number) => price / 2;
  const doubled = (shares: number) => shares * 2;
  return {
    ...bar,
    close: halved(bar.close),
    high: halved(bar.high ?? bar.close),
    low: halved(bar.low ?? bar.close),
    previous: halved(bar.previous!),
    volume: doubled(bar.volume!),
    foreign_buy: doubled(bar.foreign_buy!),
    foreign_sell: doubled(bar.foreign_sell!),
    listed_shares: doubled(bar.listed_shares!),
    factor: isFirst ? halved(bar.factor!) : bar.factor!,
    share_factor: isFirst ? halved(bar.share_factor!) : bar.share_factor!,
  };
}

const MARKET_DAYS = 60;

const history: RegimeHistory = {
  days: {
    withMa20: new Uint16Array(MARKET_DAYS),
    withMa50: new Uint16Array(MARKET_DAYS),
    aboveMa20: new Uint16Array(MARKET_DAYS),
    aboveMa50: new Uint16Array(MARKET_DAYS),
    indexReturn: new Float64Array(MARKET_DAYS),
  },
  score: Float64Array.from({ length: MARKET_DAYS }, (_, day) => day - 40),
  regime: new Array<'BEAR'>(MARKET_DAYS).fill('BEAR'),
};

test('the regime score is divided by 100 and has a formula and a source', () => {
  const [feature, ...others] = MARKET_FEATURES;
  expect(others).toEqual([]);
  expect(feature!.name).toBe('regime_score');
  expect([...feature!.of(history)]).toEqual([...history.score].map((points) => points / 100));
  for (const words of [feature!.formula, feature!.source]) expect(words).toMatch(/^\S.{4,}\S$/);
});
