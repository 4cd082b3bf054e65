import { invalidRequest } from '#shared/invalid-request.ts';

/**
 * Refuses a number of a request outside its bounds; a value that is no number is outside too.
 * @throws ServiceError invalid_request
 */
export function requireWithin(name: string, value: number, min: number, max = Infinity): void {
  if (value >= min && value <= max) return;
  const msg = max === Infinity ? `must be at least ${min}` : `must be from ${min} to ${max}`;
  const ctx = max === Infinity ? { ge: min } : { ge: min, le: max };
  throw invalidRequest([{ loc: [name], msg, type: 'out_of_range', input: value, ctx }]);
}

/**
 * A word of a request as one of those allowed there.
 * @throws ServiceError invalid_request
 */
export function requireOneOf<Word extends string>(name: string, value: string, words: readonly Word[]): Word {
  const word = words.find((allowed) => allowed === value);
  if (word !== undefined) return word;
  const msg = `must be one of ${words.join(', ')}`;
  throw invalidRequest([{ loc: [name], msg, type: 'enum', input: value, ctx: { expected: [...words] } }]);
}
