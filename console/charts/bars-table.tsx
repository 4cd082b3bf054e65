import { DataTable } from '#console/parts/data-table.tsx';
import { day, number, signedPercent } from '#console/words/formats.ts';
import { shared } from '#console/words/shared.ts';
import type { Bar } from './candles.ts';

/** The data of a candle chart as a table, newest day first. */
export function BarsTable({ caption, bars }: { caption: string; bars: readonly Bar[] }) {
  const { date, open, high, low, close, change, volume } = shared.value;
  return (
    <DataTable
      caption={caption}
      rows={bars.toReversed()}
      keyOf={(bar) => bar.date}
      columns={[
        { title: date, of: (bar) => day(bar.date) },
        { title: open, isNumber: true, of: (bar) => number(bar.open) },
        { title: high, isNumber: true, of: (bar) => number(bar.high) },
        { title: low, isNumber: true, of: (bar) => number(bar.low) },
        { title: close, isNumber: true, of: (bar) => number(bar.close) },
        { title: change, isNumber: true, of: (bar) => signedPercent(bar.change_pct, 2) },
        { title: volume, isNumber: true, of: (bar) => number(bar.volume) },
      ]}
    />
  );
}
