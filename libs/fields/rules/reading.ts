import type { MistakeCode, MistakeParams } from './mistakes.ts';
import { mistakeAt } from './rules-error.ts';
import { closest } from './suggestion.ts';

/** Members of the JSON form, from the outermost. */
export type Path = readonly (string | number)[];

export function at(path: Path, key: string | number): Path {
  return [...path, key];
}

/** @throws RulesError always */
export function refuse<Code extends MistakeCode>(path: Path, code: Code, params: MistakeParams<Code>): never {
  throw mistakeAt({ path }, code, params);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The members of an object.
 * @throws RulesError for anything but an object, and for a member with another name
 */
export function requireMembers<Name extends string>(
  input: unknown,
  path: Path,
  names: readonly Name[],
): Partial<Record<Name, unknown>> {
  if (!isObject(input)) return refuse(path, 'needs_members', { names });
  for (const name of Object.keys(input)) {
    if (names.includes(name as Name)) continue;
    refuse(at(path, name), 'no_member', { name, names, meant: closest(name, names) });
  }
  return input as Partial<Record<Name, unknown>>;
}

/** @throws RulesError unless the value is a whole number from 1 to `most` */
export function wholeNumber(value: unknown, path: Path, most: number): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1 || value > most)
    return refuse(path, 'needs_whole_number', { max: most });
  return value;
}

/** @throws RulesError unless the value is a finite number. -0 becomes 0. */
export function finiteNumber(value: unknown, path: Path): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) return refuse(path, 'needs_number', {});
  return value + 0;
}
