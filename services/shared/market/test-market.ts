/**
 * The market that test keys see: a generated one that is always the same. Its versions are never served to other keys.
 *
 * The id of a test key says that it is one, so that every service that holds the id knows its market without a request.
 */
export const TEST_KEY_ID = 'key_test_';
/** The beginning of their secrets, so that a secret that turns up somewhere shows what it opens. */
export const TEST_SECRET = 'sar_test_';
/** The kind of market in the name of its versions, `test-20251230-1`. Their rows are synthetic. */
export const TEST_KIND = 'test';

/** Whether the key sees the test market. */
export function isTestKey(apiKeyId: string): boolean {
  return apiKeyId.startsWith(TEST_KEY_ID);
}

/** Whether it is a version of the test market. */
export function isTestVersion(version: string): boolean {
  return version.startsWith(`${TEST_KIND}-`);
}

/** The market that a call reads, if it is not the served one. Travels with the call. */
export type CalledMarket = 'test' | undefined;

/** The market that the calls of a key read. */
export function marketOfKey(apiKeyId: string): CalledMarket {
  return isTestKey(apiKeyId) ? 'test' : undefined;
}
