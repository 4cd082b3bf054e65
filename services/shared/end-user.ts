import { rulesOfKind } from './wire/descriptors.ts';

const { pattern, form } = rulesOfKind('END_USER');

/** What an end-user id looks like, wherever it comes from. */
export const END_USER_PATTERN = pattern;
export const END_USER_RULE = `must be ${form}`;

const END_USER = new RegExp(pattern);

export function isEndUser(text: string): boolean {
  return END_USER.test(text);
}
