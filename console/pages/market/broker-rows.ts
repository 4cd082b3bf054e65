import { SaringError } from '#client/index.ts';

/** What an answer says of the brokers of a stock; undefined for a stock without broker rows, which is no failure. */
export function ifAnyRows<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  return answer.catch((failure: unknown) => {
    if (failure instanceof SaringError && failure.code === 'not_found') return undefined;
    throw failure;
  });
}
