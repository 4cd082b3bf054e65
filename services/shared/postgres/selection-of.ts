import { sql } from 'kysely';

/** The columns and values of a row, for an insert that takes them from a query instead of `values`. */
export function selectionOf<Row extends object>(row: Row) {
  const columns = Object.keys(row) as (keyof Row & string)[];
  return { columns, values: columns.map((column) => sql`${row[column]}`.as(column)) };
}
