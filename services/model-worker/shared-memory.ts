export type Column = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float32Array | Float64Array;

/** A type of columns, over ordinary or shared memory. */
interface ColumnType {
  readonly name: string;
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: ArrayBufferLike, byteOffset?: number, length?: number): Column;
}

const COLUMN_TYPES: readonly ColumnType[] = [
  Uint8Array,
  Uint16Array,
  Uint32Array,
  Int32Array,
  Float32Array,
  Float64Array,
];

/** @throws RangeError for a type that columns never have */
export function columnType(name: string): ColumnType {
  const type = COLUMN_TYPES.find((each) => each.name === name);
  if (!type) throw new RangeError(`there are no columns of type ${name}`);
  return type;
}

export function isColumn(value: unknown): value is Column {
  return COLUMN_TYPES.some((type) => value instanceof type);
}

/** A copy of plain data in which `map` has replaced every typed array. */
export function mapColumns(value: unknown, map: (column: Column) => unknown): unknown {
  if (isColumn(value)) return map(value);
  if (Array.isArray(value)) return value.map((each) => mapColumns(each, map));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, mapColumns(each, map)]));
}

/** The same plain data with every typed array in shared memory, so that other threads get it without a copy. */
export function inSharedMemory<T>(value: T): T {
  return mapColumns(value, (column) => {
    if (column.buffer instanceof SharedArrayBuffer) return column;
    const Type = columnType(column.constructor.name);
    const shared = new Type(new SharedArrayBuffer(column.byteLength));
    shared.set(column);
    return shared;
  }) as T;
}
