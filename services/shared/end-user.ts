/** What an end-user id looks like, wherever it comes from. */
export const END_USER_PATTERN = '^[A-Za-z0-9._-]{1,64}$';
export const END_USER_RULE = 'must have 1 to 64 characters out of A-Z, a-z, 0-9, dot, underscore and hyphen';

const END_USER = new RegExp(END_USER_PATTERN);

export function isEndUser(text: string): boolean {
  return END_USER.test(text);
}
