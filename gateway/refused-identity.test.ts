import { afterAll, beforeAll, expect, test } from 'vitest';
import { startGatewayUnderTest } from './testing/gateway-under-test.ts';
import { codeOf } from './testing/test-gateway.ts';
import { startFakes, type Fakes } from './testing/fake-services.ts';

let services: Fakes;
beforeAll(async () => {
  services = await startFakes();
});
afterAll(() => services.stop());

const CONSENT = {
  method: 'POST',
  body: JSON.stringify({ document_version: 'x', accepted: true }),
  headers: { 'content-type': 'application/json', 'x-end-user': 'user-42' },
};

test.each([
  ['KEYS_TOKEN', '/api/v1/models', {}, '503 data_unavailable'],
  ['MODELS_TOKEN', '/api/v1/jobs', {}, '503 model_unavailable'],
  ['USAGE_TOKEN', '/api/v1/usage/events', {}, '503 usage_unavailable'],
  ['CONSENT_TOKEN', '/api/v1/consent', { headers: CONSENT.headers }, '503 consent_unavailable'],
  ['CONSENT_TOKEN', '/api/v1/consent', CONSENT, '503 consent_write_failed'],
])('a gateway with a wrong %s answers %s %o with %s', async (setting, path, init, expected) => {
  const own = { [setting]: 'token-of-another-service' };
  const gateway = await startGatewayUnderTest(services.address, undefined, own);
  try {
    expect(codeOf(await gateway.request(path, 'all-scopes', init))).toBe(expected);
  } finally {
    await gateway.stop();
  }
});

test.each(['KEYS_TOKEN', 'MODELS_TOKEN', 'USAGE_TOKEN', 'CONSENT_TOKEN'])(
  'a gateway without %s does not start and names the missing setting',
  async (setting) => {
    const start = startGatewayUnderTest(services.address, undefined, { [setting]: '' });
    await expect(start).rejects.toThrow(`${setting} is not set`);
  },
);
