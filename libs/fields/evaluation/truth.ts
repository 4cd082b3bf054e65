/**
 * Whether a condition is met, in Kleene's logic of three values. With these numbers, the bitwise `&` and `|` of two values are
 * their conjunction and disjunction.
 */
export const FAILED = 0;
export const UNKNOWN = 1;
export const MET = 3;

/** One truth for each stock on each of some days, laid out as columns are, from the first of the days on. */
export type Truths = Uint8Array;

const NOT = Uint8Array.of(MET, UNKNOWN, UNKNOWN, FAILED);

/** The three functions write to their first argument and return it. */

export function negate(truths: Truths): Truths {
  for (let at = 0; at < truths.length; at++) truths[at] = NOT[truths[at]!]!;
  return truths;
}

export function conjoin(truths: Truths, others: Truths): Truths {
  for (let at = 0; at < truths.length; at++) truths[at]! &= others[at]!;
  return truths;
}

export function disjoin(truths: Truths, others: Truths): Truths {
  for (let at = 0; at < truths.length; at++) truths[at]! |= others[at]!;
  return truths;
}
