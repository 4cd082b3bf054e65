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
