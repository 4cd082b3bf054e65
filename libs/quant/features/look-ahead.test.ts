import { beforeAll, describe, expect, test } from 'vitest';
import { panelOf, poisonedPanel } from '../panel/panel-fixture.ts';
import type { Panel } from '../panel/panel.ts';
import { syntheticBars } from '../panel/generated-bars-fixture.ts';
import { regimeHistory } from '../regime/regime.ts';
import { ALL_FEATURES, featureTable, type FeatureDefinitions } from './build-feature-table.ts';
import type { MarketFeature, StockFeature } from './feature-definitions.ts';
import type { FeatureTable } from './feature-table.ts';

const CUTS = [130, 151, 172];
const generated = syntheticBars({ seed: 9, tickers: 45, days: 190 });
const first = generated[0]!.ticker;
const listedLate = generated.filter(({ ticker }) => ticker === first).at(-25)!.date;
/** The first ticker is listed between the cuts. A cut before its listing gives all other tickers new numbers. */
const bars = generated.filter(({ ticker, date }) => ticker !== first || date >= listedLate);
let whole: Panel;
beforeAll(() => {
  whole = panelOf(bars);
});

function withoutLater(day: number): Panel {
  const until = whole.columns.dates[day]!;
  return panelOf(bars.filter(({ date }) => date <= until));
}

/** All values of the table up to a day, byte for byte. Tickers are given by code, because their numbers may differ. */
function saidUpTo({ columns, panel, ...table }: FeatureTable, day: number): Record<string, unknown> {
  const rowCount = columns.dayStarts[day + 1]!;
  const said: Record<string, unknown> = {
    dayStarts: columns.dayStarts.slice(0, day + 2),
    tickers: Array.from(columns.ticker.subarray(0, rowCount), (ticker) => panel.columns.tickers[ticker]),
    averageValue: columns.averageValue.slice(0, rowCount),
  };
  const allRows = columns.ticker.length;
  columns.stockFeatures.forEach((name, i) => {
    said[name] = columns.ranks.slice(i * allRows, i * allRows + rowCount);
  });
  columns.marketFeatures.forEach((name, i) => {
    said[name] = columns.market.slice(i * panel.dayCount, i * panel.dayCount + day + 1);
  });
  return { ...said, names: table.names };
}

/** Fails when rows after a day change any feature of that day or of earlier days. */
function expectNoLookAhead(definitions: FeatureDefinitions): void {
  const build = (panel: Panel) => featureTable(panel, regimeHistory(panel), definitions);
  const table = build(whole);
  for (const day of CUTS) {
    const known = saidUpTo(table, day);
    expect((known['tickers'] as string[]).length).toBeGreaterThan(100);
    for (const past of [withoutLater(day), poisonedPanel(whole, day, NaN), poisonedPanel(whole, day, 1e9)]) {
      expect(saidUpTo(build(past), day)).toEqual(known);
    }
  }
}

/** Shifts each value one entry earlier, so that it looks ahead. */
const fromTomorrow = (values: Float64Array) => Float64Array.from(values, (_, i) => values[i + 1] ?? NaN);

describe('rows after a day', () => {
  test('change no byte of the features up to it when deleted or set to NaN or 1e9', () => {
    const counts = CUTS.map((day) => withoutLater(day).tickerCount);
    expect(new Set(counts).size).toBeGreaterThan(1);
    expectNoLookAhead(ALL_FEATURES);
  });

  test.each(ALL_FEATURES.stock)('are detected in $name when it is shifted by a bar', ({ of, ...words }) => {
    const shifted: StockFeature = { ...words, of: (stock) => fromTomorrow(of(stock)) };
    expect(() => expectNoLookAhead({ stock: [shifted], market: [] })).toThrow('to deeply equal');
  });

  test.each(ALL_FEATURES.market)('are detected in $name when it is shifted by a day', ({ of, ...words }) => {
    const shifted: MarketFeature = { ...words, of: (history) => fromTomorrow(of(history)) };
    expect(() => expectNoLookAhead({ stock: [], market: [shifted] })).toThrow('to deeply equal');
  });
});
