/**
 * The market that test keys see: a generated one that is always the same. Its versions are never served to other keys.
 *
 * The id of a test key says that it is one, so that every service that holds the id knows its market without a request.
 */
export const TEST_KEY_ID = 'key_test_';
/** The beginning of their secrets, so that a secret that turns up somewhere shows what it opens. */
export const TEST_SECRET = 'sar_test_';
/** The market's name, beside the kinds `real` and `synthetic` of the served one. */
export const TEST_MARKET = 'test';
/** The beginning of its versions, such as `synthetic-test-20251230-1`, which says that it is generated. */
export const TEST_VERSIONS = 'synthetic-test';

/** The market that a call reads, if it is not the served one. Travels with the call. */
export type CalledMarket = typeof TEST_MARKET | undefined;

/** Whether the key sees the test market. */
export function isTestKey(apiKeyId: string): boolean {
  return apiKeyId.startsWith(TEST_KEY_ID);
}

/** The market that the calls of a key read. */
export function marketOfKey(apiKeyId: string): CalledMarket {
  return isTestKey(apiKeyId) ? TEST_MARKET : undefined;
}

/** Whether it is a version of the test market. */
export function isTestVersion(version: string): boolean {
  return version.startsWith(`${TEST_VERSIONS}-`);
}
