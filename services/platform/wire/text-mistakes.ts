import type { FieldError } from '#foundation/errors/service-error.ts';

/**
 * Control characters act on whatever shows a text, and PostgreSQL stores neither a NUL in any text nor half of a surrogate pair in
 * JSON: one such text fails the statement that it is part of. Rules and descriptions have lines.
 */
const CONTROL = /[^\P{Cc}\t\n\r]/gu;
const MSG = 'must not contain control characters, except tabs and line breaks, nor half of a surrogate pair';

/** The mistake in each text of a value that has such characters, at whatever depth. Names of members are texts too. */
export function textMistakes(value: unknown, loc: FieldError['loc']): FieldError[] {
  if (typeof value === 'string') return isAllowed(value) ? [] : [mistake(loc, value)];
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return [];
  const steps = Array.isArray(value) ? value.entries() : Object.entries(value);
  const mistakes: FieldError[] = [];
  for (const [step, member] of steps) {
    if (typeof step === 'string' && !isAllowed(step)) mistakes.push(mistake([...loc, storable(step)], step));
    else if (typeof member === 'string' || typeof member === 'object')
      mistakes.push(...textMistakes(member, [...loc, step]));
  }
  return mistakes;
}

function isAllowed(text: string): boolean {
  return text.isWellFormed() && text.search(CONTROL) < 0;
}

/** A text of somebody who cannot be asked for another, with U+FFFD in the place of such characters. */
export function storable(text: string): string {
  return text.toWellFormed().replaceAll(CONTROL, '\ufffd');
}

function mistake(loc: FieldError['loc'], input: string): FieldError {
  return { loc, msg: MSG, type: 'string_pattern_mismatch', input };
}
