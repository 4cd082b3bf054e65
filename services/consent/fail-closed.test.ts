import { expect, test } from 'vitest';
import { settings } from '#gateway/config.ts';
import { ANSWER_WITHIN_MS } from './fail-closed.ts';

/** Allowance for the network and a busy machine. */
const AIR_MS = 1_000;

test('the answer deadline of the service is shorter than the gateway’s timeout', () => {
  expect(ANSWER_WITHIN_MS + AIR_MS).toBeLessThan(settings.DOWNSTREAM_TIMEOUT_MS.default as number);
});
