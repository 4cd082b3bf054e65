import { expect, test } from 'vitest';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { startFakes } from '../testing/fake-services.ts';
import { startGatewayUnderTest } from '../testing/gateway-under-test.ts';

const DOWNSTREAM_TIMEOUT_MS = 60_000;

test('an evaluation, which may wait for its turn, has six times the deadline of other calls', async () => {
  const remaining: number[] = [];
  const refuse = async (_request: unknown, { remainingMs }: { remainingMs: number }): Promise<never> => {
    remaining.push(remainingMs);
    throw new ServiceError('screen_not_found', 'None.');
  };
  const services = await startFakes({ screens: { explainScreen: refuse, deleteScreen: refuse } });
  const gateway = await startGatewayUnderTest(services.address, undefined, { DOWNSTREAM_TIMEOUT_MS });
  try {
    const headers = { 'x-end-user': 'user-42' };
    await gateway.request('/api/v1/screens/scr_1/explain?ticker=BBCA', 'all-scopes', { headers });
    await gateway.request('/api/v1/screens/scr_1', 'all-scopes', { headers, method: 'DELETE' });
    const [evaluated, other] = remaining;
    expect(evaluated).toBeGreaterThan(5 * DOWNSTREAM_TIMEOUT_MS);
    expect(other).toBeLessThanOrEqual(DOWNSTREAM_TIMEOUT_MS);
  } finally {
    await gateway.stop();
    await services.stop();
  }
});
