import { DrawnTable, placeAmong, WIDTH } from './drawn-table.tsx';

/** A figure with the bounds of its interval. */
interface IntervalRow {
  label: string;
  value: number;
  low: number;
  high: number;
  shown: string;
}

interface IntervalRowsProps {
  caption: string;
  columns: { name: string; value: string };
  rows: readonly IntervalRow[];
  /** The value that means no difference, drawn as a line. */
  reference: number;
}

/** Figures with their intervals, one below the other, next to a common line. */
export function IntervalRows({ caption, columns, rows, reference }: IntervalRowsProps) {
  const place = placeAmong([reference, ...rows.flatMap(({ low, high }) => [low, high])], WIDTH / 2);
  const drawn = rows.map(({ label, value, low, high, shown }) => {
    const length = Math.max(place(high) - place(low), 0.3);
    const drawing = (
      <>
        <rect class="grid" x={place(reference)} width={0.3} y={0} height={10} />
        <rect class="plain" x={place(low)} width={length} y={4.4} height={1.2} />
        <rect class="plain" x={place(value) - 0.5} width={1} y={1} height={8} />
      </>
    );
    return { key: label, label, drawing, shown };
  });
  return <DrawnTable caption={caption} columns={columns} rows={drawn} />;
}
