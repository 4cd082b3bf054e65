import { beforeAll, describe, expect, test } from 'vitest';
import { ON_THE_REAL_MARKET, realPanel } from '#models/fixtures/market-fixtures.ts';
import type { Panel } from '../panel/panel.ts';
import { regimeHistory, type RegimeHistory } from '../regime/regime.ts';
import { candidates } from '../universe/candidates.ts';
import { featureTable } from './build-feature-table.ts';
import { isReference, type FeatureTable } from './feature-table.ts';

const MIB = 2 ** 20;

describe('a feature table of the real market', ON_THE_REAL_MARKET, () => {
  let panel: Panel;
  let history: RegimeHistory;
  let table: FeatureTable;
  beforeAll(async () => {
    panel = await realPanel('2021-06-01');
    history = regimeHistory(panel);
    table = featureTable(panel, history);
  });

  test('takes less than 40 MiB', () => {
    const bytes = Object.values(table.columns).reduce<number>(
      (sum, column) => sum + (ArrayBuffer.isView(column) ? column.byteLength : 0),
      0,
    );
    expect(bytes).toBeLessThan(40 * MIB);
  });

  test('holds the candidates of a day, of which 150 to 400 are reference names', () => {
    for (const date of ['2022-03-15', '2023-06-15', '2024-06-28']) {
      const day = panel.dayOnOrBefore(date);
      const { from, to } = table.rowsOf(day);
      const rows = Array.from({ length: to - from }, (_, i) => from + i);
      const atFloors = candidates(panel, day).filter(
        ({ close, averageValue }) => close >= 50 && averageValue >= 100_000_000,
      );
      expect(rows.map((row) => table.columns.averageValue[row])).toEqual(
        atFloors.map(({ averageValue }) => averageValue),
      );
      const references = atFloors.filter(({ close, averageValue }) => isReference(close, averageValue));
      expect(references.length).toBeGreaterThan(150);
      expect(references.length).toBeLessThan(400);
    }
  });

  test('spreads every feature over the day’s names', () => {
    const { from, to } = table.rowsOf(panel.dayOnOrBefore('2024-06-28'));
    for (const [feature, name] of table.columns.stockFeatures.entries()) {
      const ranks = table.columns.ranks.subarray(feature * table.rowCount).subarray(from, to);
      expect(new Set(ranks).size, name).toBeGreaterThan(15);
      expect(ranks.filter((rank) => rank === 127).length / ranks.length, name).toBeLessThan(0.1);
    }
  });
});
