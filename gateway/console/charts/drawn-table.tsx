import type { ComponentChildren } from 'preact';

/** Of every drawing, in its own units: it is as wide as its column. */
export const WIDTH = 100;
const HEIGHT = 10;

interface DrawnRow {
  /** Unique in the table. */
  key: string;
  label: ComponentChildren;
  /** What the row is in the style sheet, if anything special. */
  kind?: string;
  /** SVG, up to `WIDTH` wide and 10 high. */
  drawing: ComponentChildren;
  shown: string;
}

interface DrawnTableProps {
  caption: string;
  columns: { name: string; value: string };
  rows: readonly DrawnRow[];
}

/** A table whose middle column draws what the last one says. */
export function DrawnTable({ caption, columns, rows }: DrawnTableProps) {
  return (
    <table class="waterfall">
      <caption class="read-out">{caption}</caption>
      <thead class="read-out">
        <tr>
          <th scope="col">{columns.name}</th>
          <td />
          <th scope="col">{columns.value}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, label, kind, drawing, shown }) => (
          <tr key={key} class={kind}>
            <th scope="row">{label}</th>
            <td class="bar">
              <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
                {drawing}
              </svg>
            </td>
            <td class="number">{shown}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Where each value stands when the lowest is at the left end and the highest at the right; all at `flat` when they are one. */
export function placeAmong(values: readonly number[], flat = 0): (value: number) => number {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return (value) => (most === least ? flat : ((value - least) / (most - least)) * WIDTH);
}
