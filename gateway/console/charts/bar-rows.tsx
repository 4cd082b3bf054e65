import { DrawnTable, placeAmong, WIDTH } from './drawn-table.tsx';

/** A bar with its name and its value. */
interface BarRow {
  label: string;
  /** Where the label leads, if anywhere. */
  href?: string;
  value: number;
  shown: string;
}

interface BarRowsProps {
  caption: string;
  columns: { name: string; value: string };
  rows: readonly BarRow[];
}

/** What is not nothing is seen. */
const MIN_WIDTH = 0.5;

/** Bars one below the other, to the right of a common line and, where values are negative, to its left. */
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
