import { brokerFlowOf, type BrokerFixture, type FlowRowFixture } from '../broker-rows/flow-fixture.ts';
import type { BrokerFlow } from '../broker-rows/broker-flow.ts';
import { isoFromEpochDay } from '#foundation/iso-day.ts';
import { panelOf, type BarFixture } from '../panel/panel-fixture.ts';
import type { Panel } from '../panel/panel.ts';
import { Random } from '../random.ts';

export const BROKER_TABLE: readonly BrokerFixture[] = [
  { code: 'AK', is_foreign: true },
  { code: 'BK', is_foreign: true },
  { code: 'CC' },
  { code: 'LG' },
  { code: 'MG' },
  { code: 'XL', is_retail: true },
  { code: 'YP', is_retail: true },
];

export interface FlowMarket {
  bars: BarFixture[];
  rows: FlowRowFixture[];
  panel: Panel;
  flow: BrokerFlow;
}

const DAY_ZERO = 19_000;

/**
 * Small random markets with every case that is hard for windows: days without a bar, without a trade or without broker rows,
 * and splits. Brokers trade lots with each other at the day's close.
 */
export function randomFlowMarket(seed: number, size: { tickers: number; days: number }): FlowMarket {
  const random = new Random(seed);
  const [bars, rows]: [BarFixture[], FlowRowFixture[]] = [[], []];
  for (let t = 0; t < size.tickers; t++) {
    const ticker = `S${String(t).padStart(3, '0')}`;
    let close = 500 + random.below(500);
    for (let day = 0; day < size.days; day++) {
      // Every stock has a bar on the last day, so that all panels have the same calendar.
      if (day < size.days - 1 && random.chance(0.03)) continue;
      const factor = random.chance(0.02) ? 0.5 : 1;
      const previous = close * factor;
      close = Math.max(60, Math.round(previous * (0.97 + 0.06 * random.uniform())));
      const date = isoFromEpochDay(DAY_ZERO + day);
      const trades = random.chance(0.05) ? [] : tradesOf(random, ticker, date, close);
      const volume = trades.reduce((sum, { buy_shares }) => sum + buy_shares!, 0);
      bars.push({
        ticker,
        date,
        close,
        previous,
        factor,
        volume,
        value: volume * close,
        ...negotiated(random),
      });
      if (!random.chance(0.1)) rows.push(...trades);
    }
  }
  const panel = panelOf(bars);
  return { bars, rows, panel, flow: brokerFlowOf(panel, rows, BROKER_TABLE) };
}

function negotiated(random: Random) {
  if (!random.chance(0.2)) return {};
  const nego_volume = 1 + random.below(1_000);
  return { nego_volume, nego_value: nego_volume * (400 + random.below(800)), nego_frequency: 1 };
}

function tradesOf(random: Random, ticker: string, date: string, close: number): FlowRowFixture[] {
  const sides = new Map(BROKER_TABLE.map(({ code }) => [code, { bought: 0, sold: 0 }]));
  const anySides = () => sides.get(BROKER_TABLE[random.below(BROKER_TABLE.length)]!.code)!;
  for (let i = 1 + random.below(12); i > 0; i--) {
    const shares = 100 * (1 + random.below(20));
    anySides().bought += shares;
    anySides().sold += shares;
  }
  const active = [...sides].filter(([, { bought, sold }]) => bought + sold > 0);
  return active.map(([broker, { bought, sold }]) => ({
    ticker,
    date,
    broker,
    buy_shares: bought,
    buy_value: bought * close,
    sell_shares: sold,
    sell_value: sold * close,
  }));
}
