import type { ComponentChildren } from 'preact';

/** Width of every drawing in its own units. On the page it is as wide as its column. */
export const WIDTH = 100;
const HEIGHT = 10;

interface DrawnRow {
  /** Unique in the table. */
  key: string;
  label: ComponentChildren;
  /** Class of the row in the style sheet. */
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

/** A table whose middle column draws the value of the last column. */
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

/** Returns a scale from values to positions: 0 for the lowest, `WIDTH` for the highest, `flat` if all are equal. */
export function placeAmong(values: readonly number[], flat = 0): (value: number) => number {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return (value) => (most === least ? flat : ((value - least) / (most - least)) * WIDTH);
}
