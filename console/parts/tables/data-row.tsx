import type { ComponentChildren, Ref } from 'preact';
import { lookOf } from './pinned-columns.ts';

/** What a row needs of a column. */
export interface RowColumn<Row> {
  title: string;
  isNumber?: boolean;
  of: (row: Row) => ComponentChildren;
}

interface DataRowProps<Row> {
  row: Row;
  columns: readonly RowColumn<Row>[];
  /** How many columns after the first stay in sight. */
  pinned: number;
  isSelected: boolean;
  /** Its place among all rows, of which not all are in the document. */
  at?: number;
  /** Is given the row's element. */
  measure?: Ref<HTMLTableRowElement>;
}

/** A row of a table. The first column names it. */
export function DataRow<Row>({ row, columns, pinned, isSelected, at, measure }: DataRowProps<Row>) {
  return (
    <tr
      class={isSelected ? 'selected' : ''}
      // The head is the first.
      {...(at !== undefined && { 'aria-rowindex': at + 2, 'data-index': at, ref: measure })}
    >
      {columns.map(({ title, isNumber, of }, place) =>
        place === 0 ? (
          <th key={title} scope="row">
            {of(row)}
          </th>
        ) : (
          <td key={title} data-title={title} {...lookOf(isNumber, place, pinned)}>
            {of(row)}
          </td>
        ),
      )}
    </tr>
  );
}
