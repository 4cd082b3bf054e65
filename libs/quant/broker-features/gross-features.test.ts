import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { brokerDaysOf } from '../broker-measures/broker-days-fixture.ts';
import { brokerFlowOf, type FlowRowFixture } from '../broker-rows/flow-fixture.ts';
import { isoFromEpochDay } from '#foundation/iso-day.ts';
import { panelOf } from '../panel/panel-fixture.ts';
import { BROKER_GROUPS, RowWindows, type FlowSettings } from './row-windows.ts';
import { FLOW_FEATURES, LOOKBACK_DAYS, SHORT_FEATURES } from './gross-features.ts';
import { naiveFeatures } from './naive-features-fixture.ts';
import { BROKER_TABLE, randomFlowMarket } from './random-flow-fixture.ts';

const FEATURES = [...SHORT_FEATURES, ...FLOW_FEATURES];
const DAYS = 130;

const anySettings: fc.Arbitrary<FlowSettings> = fc.record({
  days: fc.integer({ min: 3, max: 30 }),
  group: fc.constantFrom(...BROKER_GROUPS),
});
const anySeed = fc.integer({ min: 1, max: 1_000 });

/** Features of a stock-day, by name. */
function featuresOf(windows: RowWindows, ticker: number, day: number, firstDay = 0): Record<string, number> {
  windows.turnTo(ticker, firstDay, day);
  windows.moveTo(day - firstDay, 1e9);
  return Object.fromEntries(FEATURES.map(({ name, of }) => [name, of(windows)]));
}

test('every feature has a unique name', () => {
  expect(new Set(FEATURES.map(({ name }) => name)).size).toBe(FEATURES.length);
});

test('features over windows equal a naive computation, across missing days and splits', () => {
  let compared = 0;
  fc.assert(
    fc.property(anySeed, anySettings, (seed, settings) => {
      const market = randomFlowMarket(seed, { tickers: 1, days: DAYS });
      const windows = new RowWindows(brokerDaysOf(market.panel, market.flow), settings, DAYS);
      for (const day of [2, 40, DAYS - 1]) {
        if (market.panel.rowAt(0, day) < 0) continue;
        const found = featuresOf(windows, 0, day);
        for (const [name, expected] of Object.entries(naiveFeatures(market, 0, day, settings))) {
          if (Number.isFinite(expected)) expect(Math.abs(found[name]! - expected), name).toBeLessThan(1e-5);
          else expect(Number.isFinite(found[name]), name).toBe(false);
          compared++;
        }
      }
    }),
    { numRuns: 60 },
  );
  expect(compared).toBeGreaterThan(1_000);
});

test('a feature reads its own day and the LOOKBACK_DAYS before it, never a later day', () => {
  fc.assert(
    fc.property(anySeed, anySettings, (seed, settings) => {
      const { panel, flow, bars, rows } = randomFlowMarket(seed, { tickers: 1, days: DAYS });
      const day = 100;
      if (panel.rowAt(0, day) < 0) return;
      const windows = new RowWindows(brokerDaysOf(panel, flow), settings, DAYS);
      const whole = featuresOf(windows, 0, day);
      expect(featuresOf(windows, 0, day, day - LOOKBACK_DAYS)).toEqual(whole);
      const date = panel.columns.dates[day]!;
      const poisonedPanel = panelOf(
        bars.map((bar) => (bar.date <= date ? bar : { ...bar, close: 1e9, factor: 9, nego_value: 1e15 })),
      );
      const poisonedRows = rows.map((row) =>
        row.date <= date ? row : { ...row, buy_value: 1e12, broker: 'ZZ' },
      );
      const poisoned = brokerDaysOf(poisonedPanel, brokerFlowOf(poisonedPanel, poisonedRows, BROKER_TABLE));
      expect(featuresOf(new RowWindows(poisoned, settings, DAYS), 0, day)).toEqual(whole);
    }),
    { numRuns: 40 },
  );
});

describe('on a market of two brokers', () => {
  const DATES = Array.from({ length: 80 }, (_, i) => isoFromEpochDay(19_000 + i));
  const settings: FlowSettings = { days: 4, group: 'bandar' };
  const shares = 1_000;
  /** CC buys from XL when `buys` returns true; otherwise CC sells to XL. */
  const market = (buys: (day: number) => boolean, closeOf: (day: number) => number, nego = 0) => {
    const bars = DATES.map((date, day) => {
      const close = closeOf(day);
      const negotiated = { nego_volume: nego, nego_value: nego * close * 1.1 };
      return { ticker: 'AAAA', date, close, volume: shares, value: shares * close, ...negotiated };
    });
    const rows = DATES.flatMap((date, day): FlowRowFixture[] => {
      const [buyer, seller] = buys(day) ? ['CC', 'XL'] : ['XL', 'CC'];
      const value = shares * closeOf(day);
      return [
        { ticker: 'AAAA', date, broker: buyer, buy_shares: shares, buy_value: value },
        { ticker: 'AAAA', date, broker: seller, sell_shares: shares, sell_value: value },
      ];
    });
    const panel = panelOf(bars);
    const days = brokerDaysOf(panel, brokerFlowOf(panel, rows, BROKER_TABLE));
    return featuresOf(new RowWindows(days, settings, DATES.length), 0, DATES.length - 1);
  };

  test('divergence is positive when local institutions buy without a price rise, negative when they sell', () => {
    const last = DATES.length - 1;
    const wave = (day: number) => 100 + (day % 2);
    const buysLately = market((day) => day % 2 === 0 || day > last - 5, wave);
    const sellsLately = market((day) => day % 2 === 0 && day <= last - 5, wave);
    expect(buysLately['smart_money_divergence_60']).toBeGreaterThan(1);
    expect(sellsLately['smart_money_divergence_60']).toBeLessThan(-1);
  });

  test('negotiated trades count by value and by premium over the close', () => {
    const found = market(
      () => true,
      () => 100,
      50,
    );
    expect(found['nego_value_flow']).toBeCloseTo((4 * 50 * 110) / 1e9, 12);
    expect(found['nego_premium_flow']).toBeCloseTo(0.1, 9);
    expect(
      market(
        () => true,
        () => 100,
      )['nego_premium_flow'],
    ).toBeNaN();
  });
});
