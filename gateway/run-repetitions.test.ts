import { connect } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { startGatewayUnderTest } from './testing/gateway-under-test.ts';
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
const replayed = ({ headers }: { headers: Headers }) => headers.get('idempotent-replayed');
const cancel = (jobId: string, body?: string) =>
  own.request(`/api/v1/jobs/${jobId}/cancel`, 'all-scopes', { method: 'POST', ...(body && { body }) });

describe('a run with an Idempotency-Key', () => {
  test('is replayed without its result after it ended, unless the repeated request waits', async () => {
    own.services.runTakesMs = 0;
    const first = await own.run('?wait=10', {}, withKey('ended'));
    const [polled, waited] = [
      await own.run('', {}, withKey('ended')),
      await own.run('?wait=10', {}, withKey('ended')),
    ];
    expect([first.status, waited.status, replayed(waited)]).toEqual([200, 200, 'true']);
    expect(waited.body.result).toEqual(first.body.result);
    expect([polled.status, polled.body.status, polled.body.result]).toEqual([202, 'succeeded', undefined]);
    expect(polled.body.duration_seconds).toBe(first.body.duration_seconds);
    expect(polled.headers.get('x-dataset-version')).toBeNull();
  });

  test('whose outcome is unknown is told to use the key again, and a run without one is not', async () => {
    own.services.isInDoubt = true;
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => {
      own.services.isInDoubt = false;
      vi.useRealTimers();
    });
    own.services.submitted.length = 0;
    const simulation = own.request('/api/v1/simulations', 'all-scopes', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...withKey('a simulation in doubt') },
      body: JSON.stringify(SIMULATION),
    });
    const responding = Promise.all([own.run('', {}, withKey('in doubt')), own.run('', {}), simulation]);
    const isTried = () => new Set(own.services.submitted.map(({ idempotency_key: key }) => key)).size === 2;
    await expect.poll(isTried).toBe(true);
    vi.advanceTimersByTime(LONGER_THAN_ANY_RETRY_MS);
    const responses = await responding;
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

  test.each([
    ['nothing', ''],
    ['256 characters', 'a'.repeat(256)],
    ['a letter beyond ASCII', 'caf\u00e9'],
  ])('is refused if the key is %s, and the header is listed among all other mistakes', async (_name, key) => {
    const { status, body } = await own.run('?wait=61', {}, withKey(key));
    expect([status, body.error?.code]).toEqual([422, 'invalid_request']);
    expect(body.detail).toMatchObject([
      { loc: ['query', 'wait'] },
      { loc: ['header', 'Idempotency-Key'], type: 'string_pattern_mismatch' },
    ]);
  });

  test('is refused if the header is sent twice', async () => {
    const { port } = new URL(own.gateway.baseUrl);
    const text = await new Promise<string>((resolve, reject) => {
      let received = '';
      const socket = connect(Number(port), '127.0.0.1').setEncoding('utf8');
      socket.on('data', (part: string) => (received += part)).on('error', reject);
      socket.on('close', () => resolve(received));
      socket.end(
        [
          'POST /api/v1/models/model_f_combined/runs HTTP/1.1',
          'Host: saring',
          'Authorization: Bearer all-scopes',
          'X-End-User: user-42',
          'Idempotency-Key: one',
          'Idempotency-Key: two',
          'Connection: close',
          '',
          '',
        ].join('\r\n'),
      );
    });
    expect(text).toContain('HTTP/1.1 422');
    expect(text).toContain('Idempotency-Key: must be given only once');
  });
});

describe('a cancellation', () => {
  test('of a queued run returns 200 with its final state, also when repeated', async () => {
    const { body } = await own.run('', {});
    for (const sent of [undefined, '{}', 'nonsense']) {
      const response = await cancel(body.job_id!, sent);
      expect([response.status, response.body.status]).toEqual([200, 'failed']);
      expect(response.body).toMatchObject({ error: { message: 'Dibatalkan.' } });
    }
  });
});
