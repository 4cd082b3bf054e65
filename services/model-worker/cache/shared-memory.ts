import { sharedColumn, type ColumnArray, type ColumnConstructor } from '#quant/panel/panel-columns.ts';

const COLUMN_TYPES: readonly ColumnConstructor<ColumnArray>[] = [
  Uint8Array,
  Uint16Array,
  Uint32Array,
  Int32Array,
  Float32Array,
  Float64Array,
];

/** @throws RangeError for a type that columns never have */
export function columnType(name: string): ColumnConstructor<ColumnArray> {
  const type = COLUMN_TYPES.find((each) => each.name === name);
  if (!type) throw new RangeError(`there are no columns of type ${name}`);
  return type;
}

function isColumn(value: unknown): value is ColumnArray {
  return COLUMN_TYPES.some((type) => value instanceof type);
}

/** A copy of plain data in which `map` has replaced every typed array. */
export function mapColumns(value: unknown, map: (column: ColumnArray) => unknown): unknown {
  if (isColumn(value)) return map(value);
  if (Array.isArray(value)) return value.map((each) => mapColumns(each, map));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, mapColumns(each, map)]));
}

/** The same plain data with every typed array in shared memory, so that other threads get it without a copy. */
export function inSharedMemory<T>(value: T): T {
  return mapColumns(value, (column) => {
    if (column.buffer instanceof SharedArrayBuffer) return column;
    const shared = sharedColumn(columnType(column.constructor.name), column.length);
    shared.set(column);
    return shared;
  }) as T;
}
