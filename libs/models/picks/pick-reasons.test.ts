import { expect, test } from 'vitest';
import { panelOf } from '#quant/panel/panel-fixture.ts';
import { syntheticBars } from '#quant/panel/generated-bars-fixture.ts';
import { screenInput } from '../fixtures/screen-input-fixture.ts';
import { featureMatrix } from '../trained/training.ts';
import { pickReasons } from './pick-reasons.ts';

const panel = panelOf(syntheticBars({ seed: 3, tickers: 30, days: 200 }));
const table = screenInput({ panel, params: {} }).features();
const { from, to } = table.rowsOf(panel.dayCount - 1);
const featuresOf = (rows: Uint32Array) =>
  featureMatrix(table, rows, {
    names: ['own'],
    read: (read, [out]) => read.forEach((row, i) => (out![i] = row / 3)),
  });

test('each pick has its own value for every column of the model, whatever the order of the picks', () => {
  const rows = Array.from({ length: to - from }, (_, i) => from + i);
  const shuffled = [...rows.slice(5), ...rows.slice(0, 5).toReversed()];
  const picks = pickReasons(
    shuffled.map((row) => ({ row })),
    { featuresOf },
  );
  const features = picks.map((pick) => pick.features);
  const value = new Float32Array(1);
  for (const [i, row] of shuffled.entries()) {
    expect(Object.keys(features[i]!)).toEqual([...table.names, 'own']);
    for (const [feature, name] of table.names.entries()) {
      table.read(feature, Uint32Array.of(row), value);
      expect(features[i]![name]).toBeCloseTo(value[0]!, 4);
    }
    expect(features[i]!['own']).toBeCloseTo(row / 3, 2);
  }
});

test('no picks give no reasons', () => {
  expect(pickReasons([], { featuresOf })).toEqual([]);
});
