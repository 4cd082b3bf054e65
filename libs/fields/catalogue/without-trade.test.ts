import { beforeAll, describe, expect, test } from 'vitest';
import { dailyBars } from '#quant/panel/panel-fixture.ts';
import { snapshotFeatures } from '#quant/snapshot/snapshot-features.ts';
import { valueAt, type MarketColumns } from '../evaluation/market-columns.ts';
import { FIELDS } from './catalogue.ts';
import { marketColumns } from './columns.ts';
import { inputsOf, marketBars, SNAPSHOT_FIGURES } from './market-fixture.ts';
import type { FieldInputs } from '../values/stock.ts';

const DAYS = 300;
const SAYS_SO = /did not trade on the day/;
const NAMES = [...FIELDS.keys()];
const OF_TRADED_DAYS = NAMES.filter((name) => SAYS_SO.test(FIELDS.get(name)!.nullMeans.en));

const columnsOf = (inputs: FieldInputs) =>
  marketColumns(NAMES, inputs, { firstDay: 0, lastDay: inputs.panel.dayCount - 1 });

describe('on days on which a stock did not trade', () => {
  let inputs: FieldInputs;
  let columns: MarketColumns;
  /** Places of stock-days with enough history before them. */
  let untraded: number[];

  beforeAll(() => {
    inputs = inputsOf(marketBars({ seed: 9, tickers: 14, days: DAYS }));
    columns = columnsOf(inputs);
    const { volume, day } = inputs.panel.columns;
    untraded = Array.from({ length: inputs.panel.tickerCount }, (_, ticker) => ticker).flatMap((ticker) =>
      Array.from({ length: inputs.panel.dayCount }, (_, at) => inputs.panel.rowAt(ticker, at))
        .filter((row) => row >= 0 && volume[row] === 0 && day[row]! > 255)
        .map((row) => day[row]! * inputs.panel.tickerCount + ticker),
    );
  });

  test('fields that say they are null then are, and every other field has a value', () => {
    expect(untraded.length).toBeGreaterThan(10);
    const hasValue = NAMES.filter((name) =>
      untraded.some((at) => valueAt(columns.fields[name]!, at) !== null),
    );
    const others = NAMES.filter((name) => !OF_TRADED_DAYS.includes(name));
    expect(hasValue.filter((name) => !others.includes(name))).toEqual([]);
    expect(others.filter((name) => !hasValue.includes(name))).toEqual([]);
  });

  test('the snapshot follows the same rule', () => {
    const { panel } = inputs;
    for (const at of untraded) {
      const [day, ticker] = [Math.floor(at / panel.tickerCount), at % panel.tickerCount];
      const snapshot = snapshotFeatures(panel, ticker, day);
      for (const [figure, name] of SNAPSHOT_FIGURES) {
        if (FIELDS.get(name)!.needs.includes('broker_days')) continue;
        const isNull = snapshot[figure] === null;
        expect(valueAt(columns.fields[name]!, at) === null, name).toBe(isNull);
        if (SAYS_SO.test(FIELDS.get(name)!.nullMeans.en)) expect(isNull, name).toBe(true);
      }
    }
  });
});

test('a suspended stock has no moves, no turnover and no share of blocks, but its price and its past', () => {
  const TRADED = 100;
  const inputs = inputsOf(
    dailyBars(TRADED + 25, (i) => ({
      close: Math.min(i, TRADED - 1) + 100,
      volume: i < TRADED ? 200_000 : 0,
      nego_value: i < TRADED ? 1e9 : 0,
    })),
  );
  const columns = columnsOf(inputs);
  const values = Object.fromEntries(NAMES.map((name) => [name, valueAt(columns.fields[name]!, TRADED + 24)]));
  expect(values).toMatchObject({
    ...{ close: 199, market_cap_idr: 199_000_000, listed_shares: 1_000_000, high_52w: 199, low_52w: 100 },
    ...{ volume: 0, value_20d: 0, turnover_20d_pct: 0, traded_days_20d: 0, traded_days_60d: 35 },
    ...{ days_since_trade: 25, traded_bars: TRADED, is_liquid: false, is_tradable: false },
    ...{ nego_share_20d_pct: null, trade_size_20d_idr: null, foreign_net_20d_pct: null },
    ...{ open: null, high: null, low: null, average_price: null, day_change_pct: null, ret_1d: null },
    ...{ rsi_14: null, sma_20: null, atr_14: null, volume_ratio_20: null, turning_signal: null },
  });
});
