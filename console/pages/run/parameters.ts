import type { Schemas } from '#client/index.ts';
import { amountOf, amountText, shareText } from '#console/words/amounts.ts';
import type { Language } from '#console/words/language.ts';

export type Parameter = Schemas['Parameter'];
export type Parameters = Record<string, Parameter>;

/** The values in the form, by parameter: text of fields, rows of lists of objects, choices. */
export type Entered = Record<string, string | boolean | readonly Record<string, string>[]>;

/** The member names of the objects in a list parameter; undefined for a list of plain values. */
export function membersOf({ items }: Parameter): string[] | undefined {
  const properties = items?.['properties'] as object | undefined;
  return properties && Object.keys(properties);
}

export function defaultsOf(parameters: Parameters, language: Language): Entered {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, parameter]) => [
      name,
      enteredOf(parameter, parameter.default, language),
    ]),
  );
}

/** Converts a value to the form's representation. */
export function enteredOf(parameter: Parameter, value: unknown, language: Language): Entered[string] {
  if (parameter.type === 'boolean') return value === true;
  if (typeof value === 'number' && parameter.type !== 'array') return numberText(parameter, value, language);
  if (parameter.type !== 'array') return textOf(value);
  const list = (value ?? []) as unknown[];
  if (!membersOf(parameter)) return list.join(', ');
  return list.map((item) =>
    Object.fromEntries(Object.entries(item as object).map(([name, member]) => [name, textOf(member)])),
  );
}

/** A number in the form: a share in percent, a large amount in words. An option stays as it is offered. */
export function numberText(parameter: Parameter, value: number, language: Language): string {
  if (parameter.options) return `${value}`;
  return isShare(parameter) ? shareText(value) : amountText(value, language);
}

/** Whether its value, or the one that it has by default, is a number. */
export function isNumeric({ type, default: byDefault }: Parameter): boolean {
  return type === 'integer' || type === 'float' || typeof byDefault === 'number';
}

/** Whether the parameter is a part of a whole, which people write in percent. */
function isShare({ type, max }: Parameter): boolean {
  return type === 'float' && max !== undefined && max <= 1;
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
export function paramsOf(
  parameters: Parameters,
  entered: Entered,
  language: Language,
): Record<string, unknown> {
  const changed: Record<string, unknown> = {};
  for (const [name, parameter] of Object.entries(parameters)) {
    const value = valueOf(parameter, entered[name]!, language);
    if (JSON.stringify(value) !== JSON.stringify(parameter.default)) changed[name] = value;
  }
  return changed;
}

export function valueOf(parameter: Parameter, entered: Entered[string], language: Language): unknown {
  if (typeof entered === 'boolean') return entered;
  if (typeof entered !== 'string') return entered.map((row) => objectOf(row));
  if (parameter.type !== 'array')
    return isNumeric(parameter)
      ? (amountOf(entered, language, isShare(parameter)) ?? entered.trim())
      : entered.trim();
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
