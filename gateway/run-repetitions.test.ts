import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { startGatewayUnderTest } from './testing/gateway-under-test.ts';
import { answerToBytes } from './testing/raw-response.ts';
import { codeOf, testGateway } from './testing/test-gateway.ts';

const own = testGateway();

const LONGER_THAN_ANY_RETRY_MS = 60_000;
const SIMULATION = {
  from: '2024-01-01',
  to: '2024-06-28',
  screen_id: 'scr_5f0c6f1e9a3b4d2c8e7f6a5b',
  capital_idr: 100_000_000,
};
const withKey = (key: string) => ({ 'x-end-user': 'user-42', 'idempotency-key': key });

describe('a run with an Idempotency-Key', () => {
  test('whose outcome is unknown is told to use the key again, and a run without one is not', async () => {
    own.services.isInDoubt = true;
    vi.useFakeTimers({ toFake: ['performance'] });
    // Each request begins at its own time, and gives up when its time is over.
    const hurrying = setInterval(() => vi.advanceTimersByTime(LONGER_THAN_ANY_RETRY_MS), 50);
    onTestFinished(() => {
      own.services.isInDoubt = false;
      clearInterval(hurrying);
      vi.useRealTimers();
    });
    const simulation = own.request('/api/v1/simulations', 'all-scopes', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...withKey('a simulation in doubt') },
      body: JSON.stringify(SIMULATION),
    });
    const responses = await Promise.all([own.run('', {}, withKey('in doubt')), own.run('', {}), simulation]);
    expect(responses.map(codeOf)).toEqual(Array(3).fill('503 model_unavailable'));
    for (const { body } of responses)
      expect(body.error!.message).toMatch(/^No answer came, so it is unknown/);
    const named = responses.map(({ body }) => /Idempotency-Key/.test(body.error!.message));
    expect(named).toEqual([true, false, true]);
  });

  test('that cannot be looked up, as the keys service is unavailable, is told that an earlier request may have done it', async () => {
    const cutOff = await startGatewayUnderTest(own.services.address, undefined, {
      KEYS_ADDRESS: '127.0.0.1:1',
    });
    onTestFinished(() => cutOff.stop());
    const path = '/api/v1/models/model_f_combined/runs';
    const submit = (headers: object) =>
      cutOff.request(path, 'all-scopes', {
        method: 'POST',
        headers: { 'x-end-user': 'user-42', ...headers },
      });
    const responses = [await submit(withKey('cut off')), await submit({})];
    expect(responses.map(codeOf)).toEqual(['503 data_unavailable', '503 data_unavailable']);
    const named = responses.map(({ body }) =>
      /earlier request with this Idempotency-Key/.test(body.error!.message),
    );
    expect(named).toEqual([true, false]);
  });

  test('is refused if the header is sent twice', async () => {
    const head = [
      'POST /api/v1/models/model_f_combined/runs HTTP/1.1',
      'Host: saring',
      'Authorization: Bearer all-scopes',
      'X-End-User: user-42',
      'Idempotency-Key: one',
      'Idempotency-Key: two',
      'Connection: close',
    ];
    const text = await answerToBytes(own.gateway, `${head.join('\r\n')}\r\n\r\n`);
    expect(text).toContain('HTTP/1.1 422');
    expect(text).toContain('Idempotency-Key: must be given only once');
  });
});
