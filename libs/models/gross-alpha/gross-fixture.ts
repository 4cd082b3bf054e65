import { Random } from '#quant/random.ts';
import { brokerFlowOf, type FlowRowFixture } from '#quant/broker-rows/flow-fixture.ts';
import type { BrokerDays } from '#quant/broker-measures/broker-days.ts';
import { brokerDaysOf } from '#quant/broker-measures/broker-days-fixture.ts';
import { defaultsOf } from '../inputs/parameters.ts';
import { panelOf, type BarFixture } from '#quant/panel/panel-fixture.ts';
import type { Panel } from '#quant/panel/panel.ts';
import { walkBars } from '../trained/walk-fixture.ts';
import { BROKER_TABLE } from '#quant/broker-features/random-flow-fixture.ts';
import { FLOW_FEATURES, SHORT_FEATURES } from '#quant/broker-features/gross-features.ts';
import { screenInput } from '../fixtures/screen-input-fixture.ts';
import { anyProbability, trainedMarketOf } from '../trained/trained-market-fixture.ts';
import type { TrainedMarket, PastForecast } from '../trained/trained-market.ts';
import type { ScreenInput, ScreenOutput } from '../model/screen.ts';
import { tradeFigures } from './group-trades.ts';
import { params as declared, type GrossAlphaParams } from './params.ts';
import { grossAlphaResult } from './screen.ts';

export const DEFAULTS: GrossAlphaParams = {
  ...defaultsOf(declared),
  min_daily_val: 100_000_000,
  exclude_retail_led: false,
  min_probability: 30,
  target_gain: 0.05,
  stop_loss: 0.05,
  train_days: 250,
};

export const BROKERS = BROKER_TABLE.filter(({ code }) => code !== 'MG');
/** Every broker but CC, the only one that may be informed. */
const CROWD = BROKERS.flatMap(({ code }) => (code === 'CC' ? [] : [code]));

export interface BrokerMarket {
  bars: BarFixture[];
  rows: FlowRowFixture[];
}

/**
 * Random-walk stocks that are pulled by what the local broker CC bought on the days before. The pull shows only in broker rows;
 * with `pull` 0 there is none.
 */
export function brokerMarket(of: {
  seed: number;
  tickers: number;
  days: number;
  pull: number;
}): BrokerMarket {
  const random = new Random(of.seed, 1);
  const [bars, rows]: [BarFixture[], FlowRowFixture[]] = [[], []];
  for (const { foreign_buy, foreign_sell, ...bar } of walkBars(of)) {
    bars.push({ ...bar, value: bar.close * bar.volume! });
    rows.push(...rowsOf(bar, foreign_buy!, foreign_sell!, random));
  }
  return { bars, rows };
}

/** CC trades the given amounts; the crowd takes the rest of both sides at random. */
function rowsOf(
  { ticker, date, close, volume }: BarFixture,
  bought: number,
  sold: number,
  random: Random,
): FlowRowFixture[] {
  const sides = [bought, sold].map((ofInformed) => shared(volume! - ofInformed, random));
  const row = (broker: string, buy_shares: number, sell_shares: number): FlowRowFixture => ({
    ticker,
    date,
    broker,
    buy_shares,
    sell_shares,
    buy_value: buy_shares * close,
    sell_value: sell_shares * close,
  });
  return [row('CC', bought, sold), ...CROWD.map((code, i) => row(code, sides[0]![i]!, sides[1]![i]!))];
}

/** Splits a number of shares into random parts, one for each crowd broker. */
function shared(total: number, random: Random): number[] {
  const weights = CROWD.map(() => random.uniform());
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  const parts = weights.map((weight) => Math.floor((total * weight) / whole));
  parts[0]! += total - parts.reduce((sum, part) => sum + part, 0);
  return parts;
}

export function panelAndDays({ bars, rows }: BrokerMarket): { panel: Panel; brokerDays: BrokerDays } {
  const panel = panelOf(bars);
  return { panel, brokerDays: brokerDaysOf(panel, brokerFlowOf(panel, rows, BROKERS)) };
}

/** The market with what a run keeps with the model that it learns. */
export function withTrades(
  market: TrainedMarket,
  brokerDays: BrokerDays,
  { features, params }: Pick<ScreenInput<GrossAlphaParams>, 'features' | 'params'>,
  facts: Record<string, number> = {},
): TrainedMarket {
  const wanted = { days: params.flow_window, group: params.broker_group };
  const figuresOf = (names: readonly { row: number }[]) =>
    tradeFigures(
      features(),
      brokerDays,
      wanted,
      Uint32Array.from(names, ({ row }) => row),
    );
  return { ...market, kept: { stocks: figuresOf(market.stocks), past: figuresOf(market.past), facts } };
}

/** The result of model C on a day of a market, with given probabilities. */
export function grossResultOn(
  market: { panel: Panel; brokerDays: BrokerDays },
  params: GrossAlphaParams,
  day: number,
  past: readonly PastForecast[],
): ScreenOutput {
  const input = screenInput({ ...market, params });
  const names = [...SHORT_FEATURES, ...FLOW_FEATURES].map(({ name }) => name);
  const trained = trainedMarketOf(input.features(), day, (code) => anyProbability(code, day), past, names);
  return grossAlphaResult(input, withTrades(trained, market.brokerDays, input));
}
