import { Caller as Declared } from '#proto/saring/wire/v1/calls.ts';
import { callAt } from '../wire/descriptors.ts';

type WordOf<Key> = Key extends `CALLER_${infer Word}` ? Lowercase<Word> : never;

/** Kinds of callers, as `proto/saring/wire/v1/calls.proto` explains them. */
export type Caller = Exclude<WordOf<keyof typeof Declared>, 'unspecified' | 'anyone'>;

/** Who may call a method. */
export type AccessRule = 'anyone' | readonly Caller[];

const WORDS = new Map<number, string>(
  Object.entries(Declared)
    .filter(([, value]) => value > 0)
    .map(([key, value]) => [value, key.replace('CALLER_', '').toLowerCase()]),
);

/** The names of the project's own processes as callers. */
export const OWN_CALLERS = [...WORDS.values()].filter(
  (word): word is Caller => !['anyone', 'operator', 'internal'].includes(word),
);

/**
 * Who may call the method with this path. Health and reflection hold no data, are open to everyone and do not ask.
 * @throws Error for a method that does not declare it, so that its server does not start
 */
export function accessTo(path: string): AccessRule {
  const words = (callAt(path)?.callers ?? []).flatMap((caller) => WORDS.get(caller) ?? []);
  if (words.length === 0) throw new Error(`proto/ does not say who may call ${path}`);
  return words.includes('anyone') ? 'anyone' : (words as Caller[]);
}
