import { DataType, DateUnit, Type, type Data, type RecordBatch } from 'apache-arrow';

/**
 * Runs a query and yields the batches of its Arrow answer. Strings arrive as strings (plain or dictionary encoded), bodies are
 * not compressed. The caller sets deadlines.
 */
export type ReadArrow = (sql: string, params: Record<string, unknown>) => AsyncIterable<RecordBatch>;

export type NumericValues = Exclude<NodeJS.TypedArray, BigInt64Array | BigUint64Array>;

/** The raw numbers of a column, without copying. Nulls and 64-bit integers are refused: no panel column has them. */
export function numericValues(batch: RecordBatch, name: string): NumericValues {
  const data = columnData(batch, name);
  const values: unknown = data.values;
  const numeric = DataType.isInt(data.type) || DataType.isFloat(data.type) || DataType.isDate(data.type);
  if (!numeric || values instanceof BigInt64Array || values instanceof BigUint64Array) {
    throw new TypeError(`column ${name}: expected numbers of at most 64-bit float, got ${Type[data.typeId]}`);
  }
  return (values as NumericValues).subarray(0, data.length);
}

/** Days since 1970-01-01 from a Date32 (days) or a plain integer column. */
export function epochDayValues(batch: RecordBatch, name: string): NumericValues {
  const { type } = columnData(batch, name);
  if (!DataType.isInt(type) && !(DataType.isDate(type) && type.unit === DateUnit.DAY)) {
    throw new TypeError(`column ${name}: expected days since 1970-01-01, got ${Type[type.typeId]}`);
  }
  return numericValues(batch, name);
}

/**
 * Calls `onRun(text, from, to)` for every run of equal neighbours in a string column, whether dictionary encoded, plain or
 * binary. Decodes the text once per run instead of once per row.
 */
export function forEachRun(
  batch: RecordBatch,
  name: string,
  onRun: (text: string, from: number, to: number) => void,
): void {
  const data = columnData(batch, name);
  const column = batch.getChild(name);
  for (let from = 0; from < data.length;) {
    const to = DataType.isDictionary(data.type) ? endOfEqualIndices(data, from) : endOfEqualBytes(data, from);
    onRun(textOf(column?.get(from), name), from, to);
    from = to;
  }
}

function endOfEqualIndices(data: Data, from: number): number {
  const indices = data.values as NumericValues;
  const first = indices[from];
  let to = from + 1;
  while (to < data.length && indices[to] === first) to++;
  return to;
}

function endOfEqualBytes(data: Data, from: number): number {
  const bytes = data.values as Uint8Array;
  const starts = data.valueOffsets as Int32Array;
  const first = starts[from]!;
  const length = starts[from + 1]! - first;
  for (let to = from + 1; to < data.length; to++) {
    const start = starts[to]!;
    if (starts[to + 1]! - start !== length) return to;
    for (let i = 0; i < length; i++) if (bytes[start + i] !== bytes[first + i]) return to;
  }
  return data.length;
}

const utf8 = new TextDecoder();

function textOf(value: unknown, name: string): string {
  if (typeof value === 'string') return value;
  if (value instanceof Uint8Array) return utf8.decode(value);
  throw new TypeError(`column ${name}: expected strings, got ${typeof value}`);
}

function columnData(batch: RecordBatch, name: string): Data {
  const data = batch.getChild(name)?.data[0];
  if (data === undefined) throw new TypeError(`column ${name} is missing`);
  if (data.nullCount > 0) throw new TypeError(`column ${name} has ${data.nullCount} nulls`);
  return data as Data;
}
