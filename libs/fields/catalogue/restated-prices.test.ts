import { describe, expect, test } from 'vitest';
import { dailyBars, type BarFixture } from '#quant/panel/panel-fixture.ts';
import { snapshotFeatures } from '#quant/snapshot/snapshot-features.ts';
import { evaluateDay } from '../evaluation/evaluate.ts';
import { valueAt } from '../evaluation/market-columns.ts';
import { needsOf } from '../rules/needs.ts';
import { parseRules } from '../rules/parse-rules.ts';
import { FIELDS } from './catalogue.ts';
import { marketColumns } from './columns.ts';
import { inputsOf } from './market-fixture.ts';

const DAYS = 300;
const UNDER_NEW_TERMS = 8;

/** A stock at one price on every day, the last of them after a split, which says that price in other numbers. */
function flatBars(before: number, after: number): BarFixture[] {
  const split = DAYS - UNDER_NEW_TERMS;
  return dailyBars(DAYS, (i) => ({
    close: i < split ? before : after,
    volume: 1_000 + (i % 7),
    ...(i === split && { factor: after / before, share_factor: after / before }),
  }));
}

/** What is 0 of a price that never moved, whatever the window. */
const ZERO = [...FIELDS.keys()].filter((name) =>
  /^(ret_\d+d|dist_.*_pct|max_drawdown.*|gap_pct|day_change_pct|range_.*_pct|macd.*|atr_14.*|bb_width_pct|bb_place|volatility_.*|trend_fit_20|price_volume_corr_20|rising_days.*|confluence_signals)$/.test(
    name,
  ),
);
const FIFTY = ['rsi_14', 'rsi_5', 'stoch_k', 'stoch_d', 'close_place_pct'];

describe.each([
  [110, 73],
  [97, 65],
  [85, 57],
  [155, 78],
])('a price that never moved, restated from %i to %i', (before, after) => {
  const inputs = inputsOf(flatBars(before, after));
  const day = DAYS - 1;
  const wholeSpan = { firstDay: 0, lastDay: day };

  test('is flat in every field', () => {
    const columns = marketColumns([...FIELDS.keys()], inputs, wholeSpan);
    const valueOf = (name: string) => valueAt(columns.fields[name]!, day);
    expect(ZERO.length).toBeGreaterThan(30);
    expect(Object.fromEntries(ZERO.map((name) => [name, valueOf(name)]))).toEqual(
      Object.fromEntries(ZERO.map((name) => [name, 0])),
    );
    expect(FIFTY.map(valueOf)).toEqual(FIFTY.map(() => 50));
    expect(valueOf('weighted_volatility_20')).toBeNull();
  });

  test('is flat in its snapshot', () => {
    expect(snapshotFeatures(inputs.panel, 0, day)).toMatchObject({
      ...{ rsi14: 50, stoch_k: 50, stoch_d: 50, macd: 0, macd_signal: 0, macd_hist: 0, bb_width_pct: 0 },
      ...{ atr14: 0, atr14_pct: 0, volatility20_pct: 0, ret_1d_pct: 0, ret_5d_pct: 0, ret_20d_pct: 0 },
      ...{ dist_ma20_pct: 0, dist_ma50_pct: 0, dist_52w_high_pct: 0, confluence_signals: 0 },
    });
  });

  test.each([
    'ret_20d > 0 or ret_20d < 0',
    'change(close, 20d) > 0 or change(close, 20d) < 0',
    'change(close, 20d) > 0% or change(close, 20d) < 0%',
    `close crossed above ${after} within 20 days or close crossed below ${after} within 20 days`,
  ])('passes no rule about its moves: %s', (text) => {
    const rules = parseRules(text, FIELDS);
    const columns = marketColumns(needsOf(rules).fields, inputs, wholeSpan);
    expect(evaluateDay(rules, columns, day).stocks).toEqual([]);
  });
});
