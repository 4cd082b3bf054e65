import { syntheticBars } from '#models/market-fixtures.ts';
import { brokerDaysOf } from '#quant/broker-measures/broker-days-fixture.ts';
import { brokerFlowOf, type FlowRowFixture } from '#quant/broker-rows/flow-fixture.ts';
import { BROKER_TABLE } from '#quant/broker-features/random-flow-fixture.ts';
import type { BrokerFlow } from '#quant/broker-rows/broker-flow.ts';
import { epochDayFromIso } from '#quant/panel/iso-day.ts';
import { panelOf, type BarFixture } from '#quant/panel/panel-fixture.ts';
import type { Panel } from '#quant/panel/panel.ts';
import { regimeHistory } from '#quant/regime/regime.ts';
import type { FieldInputs } from './stock.ts';

const LISTED_ON = '2020-03-04';

/** A market for tests, with a split in its first stock, days without a trade, and broker rows that some days lack. */
export function marketBars(options: { seed: number; tickers: number; days: number }): BarFixture[] {
  const bars = syntheticBars(options);
  const first = bars.filter(({ ticker }) => ticker === bars[0]!.ticker);
  return bars.map((bar, i) => {
    if (i % 37 === 5) return { ...bar, ...UNTRADED, open: bar.close, high: bar.close, low: bar.close };
    const isSplit = bar === first.at(-15);
    return isSplit ? { ...bar, factor: 0.5, share_factor: 0.5 } : bar;
  });
}

const UNTRADED = { volume: 0, value: 0, frequency: 0, foreign_buy: 0, foreign_sell: 0 };

/** Every broker buys and sells a part, at the day's average price. Now and then a stock has no rows on a day. */
export function brokerRows(bars: readonly BarFixture[]): FlowRowFixture[] {
  return bars.flatMap(({ ticker, date, volume = 0, value = 0 }) => {
    const seed = epochDayFromIso(date) + ticker.charCodeAt(0) + ticker.charCodeAt(2);
    if (volume === 0 || seed % 60 === 3) return [];
    const [bought, sold] = [partsOf(volume, seed, 7), partsOf(volume, seed, 11)];
    return BROKER_TABLE.map(({ code }, i) => ({
      ticker,
      date,
      broker: code,
      buy_shares: bought[i]!,
      buy_value: Math.round((value * bought[i]!) / volume),
      sell_shares: sold[i]!,
      sell_value: Math.round((value * sold[i]!) / volume),
    }));
  });
}

/** A volume split among the brokers by weights that change from day to day. */
function partsOf(volume: number, seed: number, factor: number): number[] {
  const weights = BROKER_TABLE.map((_, i) => ((seed * factor + i * 13) % 17) ** 2 + 1);
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  const parts = weights.map((weight) => Math.floor((volume * weight) / whole));
  parts[0]! += volume - parts.reduce((sum, part) => sum + part, 0);
  return parts;
}

export function flowOf(panel: Panel, bars: readonly BarFixture[]): BrokerFlow {
  return brokerFlowOf(panel, brokerRows(bars), BROKER_TABLE);
}

/** Everything that fields need, of bars in (ticker, date) order. */
export function inputsOf(bars: readonly BarFixture[], panel = listedPanel(bars)): FieldInputs {
  return {
    panel,
    history: regimeHistory(panel),
    brokerDays: brokerDaysOf(panel, flowOf(panel, bars)),
  };
}

export function listedPanel(bars: readonly BarFixture[]): Panel {
  const tickers = [...new Set(bars.map(({ ticker }) => ticker))];
  const listing = tickers.map((ticker, i) => ({
    ticker,
    name: ticker,
    sector: `Sector ${i % 3}`,
    board: i % 2 === 0 ? 'Main' : 'Development',
    listed_on: i % 4 === 3 ? null : LISTED_ON,
  }));
  return panelOf(bars, listing);
}
