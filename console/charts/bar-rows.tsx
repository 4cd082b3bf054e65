import { DrawnTable, placeAmong, WIDTH } from './drawn-table.tsx';

/** A labelled bar. */
export interface BarRow {
  label: string;
  /** Target of a link on the label. */
  href?: string;
  value: number;
  shown: string;
}

interface BarRowsProps {
  caption: string;
  columns: { name: string; value: string };
  rows: readonly BarRow[];
}

/** Keeps a small non-zero value visible. */
const MIN_WIDTH = 0.5;

/** Bars one below the other. They extend from a common line to the right, or to the left for negative values. */
export function BarRows({ caption, columns, rows }: BarRowsProps) {
  const values = rows.map(({ value }) => value);
  const place = placeAmong([0, ...values]);
  const hasNegative = Math.min(0, ...values) < 0;
  const drawn = rows.map(({ label, href, value, shown }) => {
    const [from, to] = [place(Math.min(0, value)), place(Math.max(0, value))];
    const drawing = (
      <rect
        class={hasNegative ? (value >= 0 ? 'rise' : 'fall') : 'plain'}
        x={Math.min(from, WIDTH - MIN_WIDTH)}
        width={value === 0 ? 0 : Math.max(to - from, MIN_WIDTH)}
        y={1}
        height={8}
      />
    );
    return { key: label, label: href ? <a href={href}>{label}</a> : label, drawing, shown };
  });
  return <DrawnTable caption={caption} columns={columns} rows={drawn} />;
}

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
