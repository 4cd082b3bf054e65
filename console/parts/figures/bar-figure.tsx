import { BarRows, type BarRow } from '#console/charts/bar-rows.tsx';
import { Figure, type FigureProps } from './figure.tsx';

interface BarFigureProps<Row> extends FigureProps<Row> {
  /** What the bars measure. */
  measure: string;
  bar: (row: Row) => BarRow;
}

/** A bar for each row of a table, with the first column as its name. */
export function BarFigure<Row>({ measure, bar, ...figure }: BarFigureProps<Row>) {
  const { title, table } = figure;
  return (
    <Figure {...figure}>
      <BarRows
        caption={title}
        columns={{ name: table.columns[0]!.title, value: measure }}
        rows={table.rows.map(bar)}
      />
    </Figure>
  );
}
