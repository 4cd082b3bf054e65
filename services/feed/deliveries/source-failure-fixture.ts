import { expect } from 'vitest';
import { SourceFailure, type Problem } from './source-failure.ts';

/** The failure that work ends with. Fails the test if it succeeds, or ends with another problem. */
export async function failureOf(work: Promise<unknown>, problem: Problem): Promise<SourceFailure> {
  const failure = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(SourceFailure);
  expect(failure).toMatchObject({ problem });
  return failure as SourceFailure;
}
