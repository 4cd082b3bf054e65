import { describe, expect, test } from 'vitest';
import { panelOf, dailyBars, type BarFixture } from '../panel/panel-fixture.ts';
import { syntheticBars } from '../panel/generated-bars-fixture.ts';
import { regimeHistory } from '../regime/regime.ts';
import { snapshotFeatures } from '../snapshot/snapshot-features.ts';
import { marketOverview } from './market-overview.ts';

const LAST = 20;
const LIQUID = 2e9;

/** Twenty quiet days and a last day with close `close`. */
function stock(ticker: string, close: number, last: Partial<BarFixture> = {}, value = LIQUID): BarFixture[] {
  const quiet = { close: 100, previous: 100, value, volume: 1_000 };
  return dailyBars(LAST + 1, (day) => ({ ...quiet, ...(day === LAST && { close, ...last }) }), { ticker });
}

function overviewOf(...stocks: BarFixture[][]) {
  const panel = panelOf(stocks.flat());
  return marketOverview(panel, regimeHistory(panel), LAST);
}

describe('an overview', () => {
  const market = overviewOf(
    stock('DOWN', 90, { foreign_sell: 500, value: 2e9 }),
    stock('FLAT', 100),
    stock('GONE', 100).slice(0, LAST),
    stock('IDLE', 100, { volume: 0, value: 0 }),
    stock('NEWW', 130, { previous: 0 }).filter((_, day) => day !== LAST - 1),
    stock('PENN', 150, {}, 1e6),
    stock('RISE', 120, { foreign_buy: 250, value: 4e9 }),
  );

  test('counts listed, traded and liquid stocks, and the direction of the traded ones', () => {
    expect(market).toMatchObject({ totalStocks: 6, tradedStocks: 5, liquidStocks: 4 });
    expect(market).toMatchObject({ advancing: 2, declining: 1, unchanged: 1 });
  });

  test('averages over the liquid stocks alone', () => {
    expect(market.dailyReturnPct).toBeCloseTo((-10 + 0 + 20) / 3, 5);
    expect(market.aboveMa20Pct).toBe(50);
  });

  test('sums foreign net buying at the average price, and traded value, over all stocks', () => {
    expect(market.foreignNetValue).toBeCloseTo(250 * (4e9 / 1_000) - 500 * (2e9 / 1_000), 3);
    expect(market.totalValue).toBe(2e9 + 2e9 + 2e9 + 1e6 + 4e9);
  });

  test('does not know foreign net buying if no source says it of a stock that traded', () => {
    const unsaid = { foreign_buy: NaN, foreign_sell: NaN };
    expect(overviewOf(stock('DOWN', 90, unsaid), stock('RISE', 120)).foreignNetValue).toBeNull();
  });

  test('lists only liquid stocks as movers, each in its direction', () => {
    expect(market.gainers).toMatchObject([{ ticker: 'RISE', close: 120, value: 4e9 }]);
    expect(market.gainers[0]!.changePct).toBeCloseTo(20, 5);
    expect(market.losers.map(({ ticker }) => ticker)).toEqual(['DOWN']);
  });

  test('lists ten movers, largest move first, ties by value and then by ticker', () => {
    const stocks = Array.from({ length: 12 }, (_, i) => stock(`S${String.fromCharCode(65 + i)}`, 110 + i));
    const equal = [stock('TA', 121), stock('TB', 121, { value: 9e9 })];
    const tickers = overviewOf(...stocks, ...equal).gainers.map(({ ticker }) => ticker);
    expect(tickers).toEqual(['TB', 'SL', 'TA', 'SK', 'SJ', 'SI', 'SH', 'SG', 'SF', 'SE']);
  });

  test('has no averages when no stock is liquid', () => {
    const illiquid = overviewOf(stock('PENN', 150, {}, 1e6));
    expect(illiquid).toMatchObject({ liquidStocks: 0, dailyReturnPct: null, rsi: null, aboveMa20Pct: null });
    expect(illiquid).toMatchObject({ regime: 'SIDEWAYS', regimeScore: 0, gainers: [], losers: [] });
  });
});

test('the mean RSI is the mean over the snapshots of liquid stocks', () => {
  const panel = panelOf(syntheticBars({ seed: 5, tickers: 30, days: 120 }));
  const day = panel.dayCount - 1;
  const liquid = panel.columns.tickers
    .map((_, ticker) => snapshotFeatures(panel, ticker, day))
    .filter((features, ticker) => {
      const row = panel.rowAt(ticker, day);
      return row >= 0 && panel.columns.volume[row]! > 0 && (features.avg_value_20d ?? 0) >= 1e9;
    });
  const mean = liquid.reduce((sum, { rsi14 }) => sum + rsi14!, 0) / liquid.length;
  const overview = marketOverview(panel, regimeHistory(panel), day);
  expect(overview.liquidStocks).toBe(liquid.length);
  expect(overview.rsi).toBeCloseTo(mean, 8);
});
