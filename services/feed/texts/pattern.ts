import { RE2JS } from 're2js';

/** Longer ones are mistakes. The time of a match grows with this and with the length of the text. */
const MAX_LENGTH = 200;

export const PATTERN_WORDS = `a regular expression of at most ${MAX_LENGTH} characters, without lookaround and back references (RE2)`;

const compiled = new Map<string, RE2JS>();

/**
 * A pattern that an operator wrote, for texts that a source sends. The engine does not backtrack: no pair of both can hold up the
 * process, in which other services may run.
 * @throws RangeError if it is none
 */
export function patternOf(text: string): RE2JS {
  let pattern = compiled.get(text);
  if (!pattern) {
    if (text.length > MAX_LENGTH) throw new RangeError(`must be ${PATTERN_WORDS}`);
    try {
      pattern = RE2JS.compile(text);
    } catch (error) {
      throw new RangeError(`must be ${PATTERN_WORDS}`, { cause: error });
    }
    compiled.set(text, pattern);
  }
  return pattern;
}

export function isPattern(text: string): boolean {
  try {
    patternOf(text);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
