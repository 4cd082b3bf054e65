import type { Schemas } from '#client/index.ts';

export type Parameter = Schemas['Parameter'];
export type Parameters = Record<string, Parameter>;

/** The values in the form, by parameter: text of fields, rows of lists of objects, choices. */
export type Entered = Record<string, string | boolean | readonly Record<string, string>[]>;

/** The member names of the objects in a list parameter; undefined for a list of plain values. */
export function membersOf({ items }: Parameter): string[] | undefined {
  const properties = items?.['properties'] as object | undefined;
  return properties && Object.keys(properties);
}

export function defaultsOf(parameters: Parameters): Entered {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, parameter]) => [name, enteredOf(parameter, parameter.default)]),
  );
}

/** Converts a value to the form's representation. */
export function enteredOf(parameter: Parameter, value: unknown): Entered[string] {
  if (parameter.type === 'boolean') return value === true;
  if (parameter.type !== 'array') return textOf(value);
  const list = (value ?? []) as unknown[];
  if (!membersOf(parameter)) return list.join(', ');
  return list.map((item) =>
    Object.fromEntries(Object.entries(item as object).map(([name, member]) => [name, textOf(member)])),
  );
}

/** A plain value as text, anything else as JSON. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : `${value as string | number | boolean}`;
}

/**
 * The parameters to send: those that differ from their defaults. Text that is not a number is sent unchanged, so that
 * the API explains what it allows.
 */
export function paramsOf(parameters: Parameters, entered: Entered): Record<string, unknown> {
  const changed: Record<string, unknown> = {};
  for (const [name, parameter] of Object.entries(parameters)) {
    const value = valueOf(parameter, entered[name]!);
    if (JSON.stringify(value) !== JSON.stringify(parameter.default)) changed[name] = value;
  }
  return changed;
}

function valueOf(parameter: Parameter, entered: Entered[string]): unknown {
  if (typeof entered === 'boolean') return entered;
  if (typeof entered !== 'string') return entered.map((row) => objectOf(row));
  const isNumeric =
    parameter.type === 'integer' || parameter.type === 'float' || typeof parameter.default === 'number';
  if (parameter.type !== 'array') return isNumeric ? numberOr(entered) : entered.trim();
  const parts = entered
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  // Not every list may be empty: null is then its default.
  if (parts.length === 0 && parameter.default === null) return null;
  return parameter.items?.['type'] === 'string' ? parts : parts.map(numberOr);
}

/** Leaves out empty members. A ticker always stays text, even if it looks like a number. */
function objectOf(row: Record<string, string>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row)
      .filter(([, text]) => text.trim() !== '')
      .map(([name, text]) => [name, name === 'ticker' ? text.trim() : numberOr(text)]),
  );
}

function numberOr(text: string): number | string {
  const number = Number(text.trim());
  return text.trim() === '' || Number.isNaN(number) ? text.trim() : number;
}
