import { expect, test, vi } from 'vitest';
import { settings } from '#gateway/config.ts';
import type { Call } from '#platform/grpc/call-context.ts';
import { createLogger } from '#platform/operations/logger.ts';
import { SILENT_AFTER_LIMIT_MS } from '#platform/postgres/open-postgres.ts';
import {
  RESPONSE_WITHIN_MS,
  checking,
  STATEMENT_TIMEOUT_MS,
  WRITE_RESPONSE_WITHIN_MS,
  writing,
} from './fail-closed.ts';

/** Allowance for the network and a busy machine. */
const AIR_MS = 1_000;
const GATEWAY_WAITS_MS = settings.DOWNSTREAM_TIMEOUT_MS.default as number;

test('the answer deadlines of the service are shorter than the gateway’s timeout', () => {
  expect(RESPONSE_WITHIN_MS + AIR_MS).toBeLessThan(GATEWAY_WAITS_MS);
  expect(WRITE_RESPONSE_WITHIN_MS).toBeLessThan(GATEWAY_WAITS_MS);
});

test('a silent database fails a check before its answer is due', () => {
  expect(STATEMENT_TIMEOUT_MS + SILENT_AFTER_LIMIT_MS).toBeLessThan(RESPONSE_WITHIN_MS);
});

test.each([
  ['check', checking, RESPONSE_WITHIN_MS, 'consent_unavailable'],
  ['write', writing, WRITE_RESPONSE_WITHIN_MS, 'consent_write_failed'],
] as const)(
  'a %s that the database does not answer fails at its deadline',
  async (_, run, withinMs, code) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      let failure: unknown;
      const call = { log: createLogger('test', 'silent') } as Call;
      run(call, () => new Promise(() => {})).catch((error: unknown) => (failure = error));
      await vi.advanceTimersByTimeAsync(withinMs - 1);
      expect(failure).toBeUndefined();
      await vi.advanceTimersByTimeAsync(1);
      expect(failure).toMatchObject({ code });
    } finally {
      vi.useRealTimers();
    }
  },
);
