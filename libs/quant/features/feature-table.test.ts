import { beforeAll, describe, expect, test } from 'vitest';
import { panelOf } from '../panel/panel-fixture.ts';
import type { Panel } from '../panel/panel.ts';
import { syntheticBars } from '../panel/generated-bars-fixture.ts';
import { regimeHistory } from '../regime/regime.ts';
import { tradedRows } from '../universe/liquidity.ts';
import { candidates } from '../universe/candidates.ts';
import { ALL_FEATURES, featureTable } from './build-feature-table.ts';
import { isReference, type FeatureTable } from './feature-table.ts';
import { StockBars } from './stock-bars.ts';

let panel: Panel;
let table: FeatureTable;
beforeAll(() => {
  panel = panelOf(syntheticBars({ seed: 5, tickers: 60, days: 170 }));
  table = featureTable(panel, regimeHistory(panel));
});

const daysWithRows = () =>
  Array.from({ length: panel.dayCount }, (_, day) => day).filter((day) => {
    const { from, to } = table.rowsOf(day);
    return to > from;
  });

describe('a feature table', () => {
  test('holds the candidates at the lowest floors for each day, in ascending order', () => {
    expect(table.rowCount).toBeGreaterThan(1_000);
    const { ticker, panelRow, averageValue } = table.columns;
    for (let day = 0; day < panel.dayCount; day++) {
      const { from, to } = table.rowsOf(day);
      const found = Array.from({ length: to - from }, (_, i) => ({
        ticker: ticker[from + i]!,
        close: panel.columns.close[panelRow[from + i]!]!,
        averageValue: averageValue[from + i]!,
        day: table.dayOf(from + i),
      }));
      const expected = candidates(panel, day)
        .filter((stock) => stock.close >= 50 && stock.averageValue >= 100_000_000)
        .map(({ ticker, close, averageValue }) => ({ ticker, close, averageValue, day }));
      expect(found).toEqual(expected);
    }
  });

  test('finds a feature by name and refuses an unknown one', () => {
    for (const [i, name] of table.names.entries()) expect(table.feature(name)).toBe(i);
    expect(() => table.feature('tomorrow')).toThrow('no feature tomorrow');
  });

  test('finds the row of a stock on a day, and none when it was not tradable', () => {
    let missing = 0;
    for (const day of daysWithRows()) {
      for (let ticker = 0; ticker < panel.tickerCount; ticker++) {
        const row = table.rowAt(ticker, day);
        if (row === -1) missing++;
        else expect(table.columns.panelRow[row]).toBe(panel.rowAt(ticker, day));
      }
    }
    expect(missing).toBeGreaterThan(0);
    expect(table.rowAt(0, 0)).toBe(-1);
  });

  test('ranks each stock by its feature values among the reference names of the day', () => {
    const { panelRow, averageValue, ticker, ranks } = table.columns;
    const isLiquid = (row: number) => isReference(panel.columns.close[panelRow[row]!]!, averageValue[row]!);
    for (const [feature, { name, of }] of ALL_FEATURES.stock.entries()) {
      const values = panel.columns.tickers.map((_, index) => {
        const rows = tradedRows(panel, index);
        const series = of(new StockBars(panel, index, rows));
        return new Map(Array.from(rows, (row, bar) => [row, Math.fround(series[bar]!)]));
      });
      const valueOf = (row: number) => values[ticker[row]!]!.get(panelRow[row]!)!;
      for (const day of daysWithRows().filter((day) => day % 7 === 0)) {
        const { from, to } = table.rowsOf(day);
        const rows = Array.from({ length: to - from }, (_, i) => from + i);
        const known = rows.filter((row) => Number.isFinite(valueOf(row)));
        const liquid = known.filter(isLiquid);
        const others = liquid.length < 20 ? known : liquid;
        const expected = rows.map((row) => {
          if (!known.includes(row)) return 127;
          const below = others.filter((other) => valueOf(other) < valueOf(row)).length;
          const beside = others.filter((other) => valueOf(other) === valueOf(row)).length;
          return Math.round((254 * (below + beside / 2)) / others.length);
        });
        expect([...ranks.subarray(feature * table.rowCount).subarray(from, to)], name).toEqual(expected);
      }
    }
  });

  test('reads ranks scaled to -1 to 1 and market features unchanged', () => {
    const { stockFeatures, ranks, market } = table.columns;
    const rows = Uint32Array.from({ length: table.rowCount }, (_, row) => row);
    const out = new Float32Array(rows.length);
    expect(table.names).toEqual([...ALL_FEATURES.stock, ...ALL_FEATURES.market].map(({ name }) => name));
    for (let feature = 0; feature < table.names.length; feature++) {
      table.read(feature, rows, out);
      const row = 17 * feature;
      const ofMarket = feature - stockFeatures.length;
      const expected =
        ofMarket < 0
          ? (ranks[feature * table.rowCount + row]! - 127) / 127
          : market[ofMarket * panel.dayCount + table.dayOf(row)]!;
      expect(out[row]).toBe(Math.fround(expected));
      expect(out.every((value) => value >= -1 && value <= 1)).toBe(true);
    }
  });

  test('takes one byte per stock feature and row, and is reproducible', () => {
    const again = featureTable(panel, regimeHistory(panel));
    expect(again.columns).toEqual(table.columns);
    expect(table.columns.ranks.byteLength).toBe(ALL_FEATURES.stock.length * table.rowCount);
  });
});

test('a market too young for any tradable stock has a table without rows', () => {
  const young = panelOf(syntheticBars({ seed: 5, tickers: 4, days: 40 }));
  const empty = featureTable(young, regimeHistory(young));
  expect(empty.rowCount).toBe(0);
  expect(empty.rowAt(0, 39)).toBe(-1);
  expect(empty.rowsOf(39)).toEqual({ from: 0, to: 0 });
});
