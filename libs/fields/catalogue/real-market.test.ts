import { beforeAll, describe, expect, test } from 'vitest';
import { ON_THE_REAL_MARKET, realPanel } from '#models/fixtures/market-fixtures.ts';
import type { Panel } from '#quant/panel/panel.ts';
import { regimeHistory } from '#quant/regime/regime.ts';
import { valueAt } from '../evaluation/market-columns.ts';
import { marketColumns } from './columns.ts';

describe('fields of the real market', ON_THE_REAL_MARKET, () => {
  let panel: Panel;
  beforeAll(async () => {
    panel = await realPanel('2019-10-01');
  });

  /** The values of every stock with a row on a day, by ticker. */
  function valuesOn(date: string, names: readonly string[]) {
    const day = panel.dayOnOrBefore(date);
    const columns = marketColumns(
      names,
      { panel, history: regimeHistory(panel) },
      { firstDay: day, lastDay: day },
    );
    return new Map(
      columns.tickers.flatMap((ticker, stock) =>
        columns.listed[stock] === 1
          ? [[ticker, Object.fromEntries(names.map((name) => [name, valueAt(columns.fields[name]!, stock)]))]]
          : [],
      ),
    );
  }

  test('a stock that has not traded for years has no indicators, and nothing of its old windows', () => {
    const names = ['volume', 'rsi_14', 'value_20d', 'turnover_20d_pct', 'nego_share_20d_pct'];
    const values = valuesOn('2024-06-28', names);
    expect(values.get('ARMY')).toMatchObject({ rsi_14: null, value_20d: 0, turnover_20d_pct: 0 });
    expect(values.get('RIMO')).toMatchObject({ rsi_14: null, nego_share_20d_pct: null });
    const untraded = [...values.values()].filter(({ volume }) => volume === 0);
    expect(untraded.length).toBeGreaterThan(90);
    expect(untraded.filter(({ rsi_14 }) => rsi_14 !== null)).toEqual([]);
  });

  test('no lower limit lies above a close, and no upper limit below', () => {
    const values = [...valuesOn('2024-06-28', ['to_lower_limit_pct', 'to_upper_limit_pct']).entries()];
    const isOutside = (lower: unknown, upper: unknown) => Number(lower) > 0 || Number(upper) < 0;
    expect(values.filter(([, of]) => isOutside(of['to_lower_limit_pct'], of['to_upper_limit_pct']))).toEqual(
      [],
    );
  });

  test('the variation of moves that there were none of is null, and never below 0', () => {
    const values = valuesOn('2020-03-24', ['weighted_volatility_20']);
    expect(values.get('BUMI')).toEqual({ weighted_volatility_20: null });
    const known = [...values.values()].map((of) => Number(of['weighted_volatility_20']));
    expect(Math.min(...known)).toBeGreaterThanOrEqual(0);
    // It is largest if all but one of the 20 are 0.
    expect(Math.max(...known)).toBeLessThanOrEqual(Math.sqrt(20) + 1e-6);
  });
});
