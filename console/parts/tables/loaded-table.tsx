import { Loaded, type Loading } from '../loading.tsx';
import { DataTable, type DataTableProps } from './data-table.tsx';

interface LoadedTableProps<Row> extends Omit<DataTableProps<Row>, 'rows'> {
  of: Loading<readonly Row[]>;
}

/** A table of what is loaded. */
export function LoadedTable<Row>({ of, ...table }: LoadedTableProps<Row>) {
  return <Loaded of={of}>{(rows) => <DataTable {...table} rows={rows} />}</Loaded>;
}
