import { SaringError } from '#client/index.ts';

/** The answer; undefined for what does not exist, such as broker rows of a market without any, which is no failure. */
export function unlessNotFound<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  return answer.catch((failure: unknown) => {
    if (failure instanceof SaringError && failure.code === 'not_found') return undefined;
    throw failure;
  });
}
