import { changedShape, SourceFailure } from '../deliveries/source-failure.ts';

export type JsonObject = Record<string, unknown>;

/**
 * The value of a JSON text.
 * @throws SourceFailure truncated if the text ends within the value, changed_shape if it is no JSON
 */
export function jsonBody(name: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const { message } = error as Error;
    const at = Number(/at position (\d+)/.exec(message)?.[1] ?? NaN);
    const endsTooEarly = /end of JSON input|Unterminated/.test(message) || at >= text.trimEnd().length;
    if (endsTooEarly)
      throw new SourceFailure('truncated', `${name} ends within its JSON, after ${text.length} characters.`);
    const where = /\(line \d+ column \d+\)/.exec(message)?.[0] ?? '';
    throw changedShape(`${name} is not JSON${where && ` ${where}`}.`);
  }
}

/**
 * The objects of a JSON array, of lines with one object each, or of the only array in an object such as `{"data": […]}`, unless
 * `isRow` says that this object is a row itself.
 */
export function jsonObjects(
  name: string,
  text: string,
  isRow: (object: JsonObject) => boolean = () => false,
): JsonObject[] {
  const isLines = /^\s*\{[^\n]*\}\s*\n\s*\{/.test(text);
  const value = isLines
    ? text
        .split('\n')
        .filter((line) => line.trim() !== '')
        .map((line) => jsonBody(name, line))
    : jsonBody(name, text);
  const items = Array.isArray(value) ? (value as unknown[]) : [value];
  return items.length === 1 && !Array.isArray(value) ? onlyList(name, value, isRow) : objectsOf(name, items);
}

/** @throws SourceFailure changed_shape naming the first item that is no object */
export function objectsOf(name: string, items: unknown[]): JsonObject[] {
  const wrong = items.findIndex((item) => !isJsonObject(item));
  if (wrong >= 0) throw changedShape(`${name}: item ${wrong + 1} is not an object.`);
  return items as JsonObject[];
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function onlyList(name: string, item: unknown, isRow: (object: JsonObject) => boolean): JsonObject[] {
  if (!isJsonObject(item)) throw changedShape(`${name} has no list of objects.`);
  if (isRow(item)) return [item];
  const lists = Object.values(item).filter((value) => Array.isArray(value)) as unknown[][];
  return lists.length === 1 ? objectsOf(name, lists[0]!) : [item];
}
