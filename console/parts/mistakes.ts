import { SaringError, type FieldError } from '#client/index.ts';
import { mistakeText } from '#console/words/rule-mistakes.ts';

/** The values that the API refused. */
export function mistakesOf(failure: unknown): readonly FieldError[] {
  return failure instanceof SaringError ? failure.detail : [];
}

/** What is wrong with a member of a request, or undefined. */
export function mistakeIn(mistakes: readonly FieldError[], member: string): string | undefined {
  const own = mistakes.filter(({ loc }) => loc[1] === member).map(mistakeText);
  return own.length === 0 ? undefined : own.join(' ');
}
