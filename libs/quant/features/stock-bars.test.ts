import { expect, test } from 'vitest';
import { panelOf } from '../panel/panel-fixture.ts';
import { StockBars } from './stock-bars.ts';

test('the limits of the first bar of a listing are twice as wide, as they were until 2020-03-12', () => {
  const dates = ['2020-03-05', '2020-03-06', '2020-03-09'];
  const panel = panelOf([
    ...dates.map((date) => ({ ticker: 'OLDS', date, close: 1_000 })),
    ...dates.slice(1).map((date) => ({ ticker: 'YOUN', date, close: 1_000 })),
  ]);
  const limitsOf = (ticker: string) => {
    const index = panel.tickerIndex(ticker);
    const rows = Uint32Array.from(
      { length: panel.endRow(index, 3) - panel.firstRow(index) },
      (_, i) => panel.firstRow(index) + i,
    );
    const bars = new StockBars(panel, index, rows);
    return Array.from(rows, (row) => bars.limitsOf(row));
  };
  const [usual, first] = [
    { lower: 750, upper: 1_250 },
    { lower: 500, upper: 1_500 },
  ];
  // When a stock was listed that has a row on the first day of the data, nobody knows.
  expect(limitsOf('OLDS')).toEqual([usual, usual, usual]);
  expect(limitsOf('YOUN')).toEqual([first, usual]);
});
