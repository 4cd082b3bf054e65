import type { FieldError } from '#foundation/errors/service-error.ts';
import { cutText } from '#foundation/text/cut-text.ts';
import { rulesOfKind } from './descriptors.ts';

const { pattern, form } = rulesOfKind('PLAIN_TEXT');
const PLAIN = new RegExp(pattern, 'u');

/** The mistake in a text for people that is not of the kind KIND_PLAIN_TEXT, where the rules of messages do not reach. */
export function notPlain(loc: FieldError['loc'], text: string): FieldError[] {
  if (PLAIN.test(text)) return [];
  return [{ loc, msg: `must be ${form}`, type: 'string_pattern_mismatch', input: text }];
}

/** A caller chooses its name and its request id freely, so a record limits their length. */
const MAX_RECORDED_LENGTH = 100;

/** A name of a caller as it is recorded: cut, and without the characters that KIND_PLAIN_TEXT excludes. Never refused. */
export function recordable(name: string): string {
  const plain = [...name].filter((character) => PLAIN.test(character)).join('');
  return cutText(plain, MAX_RECORDED_LENGTH);
}
