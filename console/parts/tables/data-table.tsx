import { useEffect, useRef, useState } from 'preact/hooks';
import { place, replaceChoice } from '#console/browser/routing.ts';
import { DataRow, type RowColumn } from './data-row.tsx';
import type { LongRows as LongRowsComponent } from './long-rows.tsx';
import { lookOf, usePinnedColumns } from './pinned-columns.ts';
import { TableTools } from './table-tools.tsx';
import {
  columnsOf,
  rowsOf,
  viewOf,
  viewText,
  WHOLE,
  type CellValue,
  type DataColumn,
  type TableView,
} from './table-view.ts';

/** More rows are drawn only near the window. A browser finds words in so many by itself. */
const DRAWN_AT_ONCE = 100;

export interface Column<Row> extends RowColumn<Row> {
  /** Whether the rows come in the order of this column, largest first. */
  isOrder?: boolean;
  /** The API's name of the field, shown on hover. With it and `value`, the column can be ordered, searched, hidden and exported. */
  field?: string;
  value?: (row: Row) => CellValue;
}

export interface DataTableProps<Row> {
  /** What the table shows. Screen readers read it; it is visible if `showsCaption`. */
  caption: string;
  showsCaption?: boolean;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** Shown in place of a table without rows. */
  empty?: string;
  keyOf: (row: Row) => string;
  /** Key of the row whose details the page shows. */
  selected?: string | undefined;
  /**
   * Names the table within its page and its file. Such a table can be searched, ordered and exported; its view is part of the address, so
   * that a link reproduces it; and on a phone each row is a card.
   */
  name?: string;
}

/** Rows in columns, or what is said where there are none. */
export function DataTable<Row>({ empty, ...table }: DataTableProps<Row>) {
  return empty !== undefined && table.rows.length === 0 ? <p>{empty}</p> : <Table {...table} />;
}

/** A table that scrolls sideways in its own frame if it is wider than the screen. The first column names the row and stays. */
function Table<Row>(props: Omit<DataTableProps<Row>, 'empty'>) {
  const { caption, showsCaption = false, columns, rows, keyOf, selected, name } = props;
  const data = columns.filter(hasData);
  const choice = `table.${name ?? ''}`;
  const text = name === undefined ? '' : (place.value.choices.get(choice) ?? '');
  const view =
    text === ''
      ? WHOLE
      : viewOf(
          text,
          data.map(({ field }) => field),
        );
  const change = (to: TableView) => replaceChoice(choice, viewText(to));
  const shown = rowsOf(rows, data, view);
  const { shown: visible, pinned } = columnsOf(columns, view);
  const table = useRef<HTMLTableElement>(null);
  usePinnedColumns(
    table,
    visible.map(({ title }) => title),
    pinned,
  );
  // Tables without a name stand in frames that scroll by themselves.
  const isLong = name !== undefined && shown.length > DRAWN_AT_ONCE;
  const LongRows = useLongRows(isLong);
  return (
    <>
      {name !== undefined && (
        <TableTools name={name} data={data} rows={shown} all={rows.length} view={view} change={change} />
      )}
      <div
        class={name === undefined ? 'table-frame' : 'table-frame cards'}
        role="region"
        aria-label={caption}
        tabIndex={0}
      >
        <table ref={table} aria-rowcount={isLong ? shown.length + 1 : undefined}>
          <caption class={showsCaption ? '' : 'read-out'}>{caption}</caption>
          <thead>
            <tr aria-rowindex={isLong ? 1 : undefined}>
              {visible.map((column, place) => (
                <Head
                  key={column.title}
                  of={column}
                  view={view}
                  look={lookOf(column.isNumber, place, pinned)}
                  {...(name !== undefined &&
                    hasData(column) && { order: () => change(ordered(view, column)) })}
                />
              ))}
            </tr>
          </thead>
          {isLong && LongRows ? (
            <LongRows rows={shown} columns={visible} keyOf={keyOf} pinned={pinned} selected={selected} />
          ) : (
            <tbody>
              {(isLong && LongRows === undefined ? shown.slice(0, DRAWN_AT_ONCE) : shown).map((row) => (
                <DataRow
                  key={keyOf(row)}
                  row={row}
                  columns={visible}
                  pinned={pinned}
                  isSelected={keyOf(row) === selected}
                />
              ))}
            </tbody>
          )}
        </table>
      </div>
    </>
  );
}

type LongRowsPart = typeof LongRowsComponent;
let loadedLongRows: LongRowsPart | undefined;

/** The component for long tables, loaded with the first of them. null if loading fails: then all rows are drawn. */
function useLongRows(isWanted: boolean): LongRowsPart | null | undefined {
  const [part, setPart] = useState<LongRowsPart | null | undefined>(() => loadedLongRows);
  useEffect(() => {
    if (!isWanted || part) return;
    import('./long-rows.tsx').then(
      ({ LongRows }) => {
        loadedLongRows = LongRows;
        setPart(() => LongRows);
      },
      () => setPart(null),
    );
  }, [isWanted]);
  return part;
}

interface HeadProps<Row> {
  of: Column<Row>;
  view: TableView;
  look: ReturnType<typeof lookOf>;
  /** Orders the rows by this column; absent if they cannot be. */
  order?: () => void;
}

function Head<Row>({ of: { title, field, isOrder }, view, look, order }: HeadProps<Row>) {
  const isOwn = view.order !== undefined && view.order.field === field;
  const isDescending = isOwn ? view.order!.isDescending : isOrder === true && view.order === undefined;
  const isAscending = isOwn && !isDescending;
  const arrow = isDescending ? ' ↓' : isAscending ? ' ↑' : '';
  const content = (
    <>
      {title}
      {arrow !== '' && <span aria-hidden="true">{arrow}</span>}
    </>
  );
  return (
    <th
      scope="col"
      {...look}
      title={field}
      aria-sort={isDescending ? 'descending' : isAscending ? 'ascending' : undefined}
    >
      {order ? (
        <button type="button" class="order" onClick={order}>
          {content}
        </button>
      ) : (
        content
      )}
    </th>
  );
}

function hasData<Row>(column: Column<Row>): column is Column<Row> & DataColumn<Row> {
  return column.field !== undefined && column.value !== undefined;
}

/** Largest numbers and first words come first, then the other way round, then as the rows came. */
function ordered<Row>(
  view: TableView,
  { field, isNumber = false }: Column<Row> & DataColumn<Row>,
): TableView {
  const { order, ...rest } = view;
  if (order?.field !== field) return { ...rest, order: { field, isDescending: isNumber } };
  return order.isDescending === isNumber ? { ...rest, order: { field, isDescending: !isNumber } } : rest;
}
