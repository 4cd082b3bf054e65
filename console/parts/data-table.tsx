import type { ComponentChildren } from 'preact';

export interface Column<Row> {
  title: string;
  /** Aligns the column to the right. */
  isNumber?: boolean;
  /** Whether the rows are in the order of this column, largest first. */
  isOrder?: boolean;
  of: (row: Row) => ComponentChildren;
}

interface DataTableProps<Row> {
  /** What the table shows. Screen readers read it; it is visible if `showsCaption`. */
  caption: string;
  showsCaption?: boolean;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** Key of the row whose details the page shows. */
  selected?: string | undefined;
}

/** A table that scrolls sideways in its own frame if it is wider than the screen. The first column names the row. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, showsCaption = false, columns, rows, keyOf, selected } = props;
  return (
    <div class="table-frame" role="region" aria-label={caption} tabIndex={0}>
      <table>
        <caption class={showsCaption ? '' : 'read-out'}>{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ title, isNumber, isOrder }) => (
              <th
                key={title}
                scope="col"
                class={isNumber ? 'number' : ''}
                aria-sort={isOrder ? 'descending' : undefined}
              >
                {title}
                {isOrder && <span aria-hidden="true"> ↓</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} class={keyOf(row) === selected ? 'selected' : ''}>
              {columns.map(({ title, isNumber, of }, at) =>
                at === 0 ? (
                  <th key={title} scope="row">
                    {of(row)}
                  </th>
                ) : (
                  <td key={title} class={isNumber ? 'number' : ''}>
                    {of(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
