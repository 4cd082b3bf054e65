import { storable } from '#platform/wire/text-mistakes.ts';

/** Why a fetch failed, as a word for programs. */
export const PROBLEMS = [
  'not_published',
  'bot_wall',
  'forbidden',
  'rate_limited',
  'unreachable',
  'timed_out',
  'truncated',
  'too_large',
  'changed_shape',
  'repeated_day',
  'budget_spent',
  'refused',
  'interrupted',
] as const;
export type Problem = (typeof PROBLEMS)[number];

/** A fetch that brought nothing. The message says what happened and, where there is something to do, what the operator can do. */
export class SourceFailure extends Error {
  override readonly name = 'SourceFailure';
  readonly problem: Problem;
  /** How long the source asks to be left alone, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(problem: Problem, message: string, options: { retryAfterMs?: number; cause?: unknown } = {}) {
    // It can quote what a source sent.
    super(storable(message), { cause: options.cause });
    this.problem = problem;
    this.retryAfterMs = options.retryAfterMs;
  }
}

export function changedShape(message: string, cause?: unknown): SourceFailure {
  return new SourceFailure('changed_shape', message, { cause });
}
