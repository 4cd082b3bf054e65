import type { Bar } from '#console/charts/candles.ts';
import { day, number, signedPercent } from '#console/words/formats.ts';
import { shared } from '#console/words/shared.ts';
import type { TableOfFigure } from './figure.tsx';

/** The bars of a stock as a table, newest day first. */
export function barsTable(ticker: string, bars: readonly Bar[]): TableOfFigure<Bar> {
  const { date, open, high, low, close, change, volume } = shared;
  return {
    caption: ticker,
    rows: bars.toReversed(),
    keyOf: (bar) => bar.date,
    columns: [
      { title: date, of: (bar) => day(bar.date) },
      { title: open, isNumber: true, of: (bar) => number(bar.open) },
      { title: high, isNumber: true, of: (bar) => number(bar.high) },
      { title: low, isNumber: true, of: (bar) => number(bar.low) },
      { title: close, isNumber: true, of: (bar) => number(bar.close) },
      { title: change, isNumber: true, of: (bar) => signedPercent(bar.change_pct, 2) },
      { title: volume, isNumber: true, of: (bar) => number(bar.volume) },
    ],
  };
}
