import { expect, test } from 'vitest';
import { panelOf, dailyBars } from '../panel/panel-fixture.ts';
import { tradedRows } from '../universe/liquidity.ts';
import { StockBars } from './stock-bars.ts';

test.each<[string, { close: number; at: number[]; days?: number }, [number, number]]>([
  ['that stops twice at 10 % are those of the special boards', { close: 1_100, at: [4, 9] }, [900, 1_100]],
  ['that stops once there are those of the regular boards', { close: 1_100, at: [4] }, [750, 1_250]],
  ['that goes beyond 10 % are those of the regular boards', { close: 1_150, at: [4, 9, 14] }, [750, 1_250]],
  ['that traded under 50 are those of the special boards', { close: 49, at: [4] }, [900, 1_100]],
  [
    'that stopped twice at 10 % more than 20 days ago are those of the regular boards',
    { close: 1_100, at: [1, 2], days: 25 },
    [750, 1_250],
  ],
])('the limits of a stock %s', (_, { close, at, days = 20 }, [lower, upper]) => {
  const barOf = (day: number) => ({ previous: 1_000, close: at.includes(day) ? close : 1_000 + day });
  const panel = panelOf(dailyBars(days, barOf, { from: '2024-05-01' }));
  const bars = new StockBars(panel, 0, tradedRows(panel, 0));
  expect(bars.limitsOf(days - 1)).toEqual({ lower, upper });
});

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
    return Array.from(rows, (_, bar) => bars.limitsOf(bar));
  };
  const [usual, first] = [
    { lower: 750, upper: 1_250 },
    { lower: 500, upper: 1_500 },
  ];
  // When a stock was listed that has a row on the first day of the data, nobody knows.
  expect(limitsOf('OLDS')).toEqual([usual, usual, usual]);
  expect(limitsOf('YOUN')).toEqual([first, usual]);
});
