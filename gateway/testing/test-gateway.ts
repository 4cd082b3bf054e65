import { afterAll, beforeAll } from 'vitest';
import { startGatewayUnderTest, type GatewayUnderTest, type TestResponse } from './gateway-under-test.ts';
import { startFakes, type Fakes } from './fake-services.ts';

const END_USER = { 'x-end-user': 'user-42' };

/** A gateway with fakes for its services. */
class TestGateway {
  services!: Fakes;
  gateway!: GatewayUnderTest;

  get request(): GatewayUnderTest['request'] {
    return this.gateway.request;
  }

  /** Submits a run. A string is sent unchanged, anything else as JSON. */
  run(query: string, body: unknown, headers: object = END_USER, model = 'model_f_combined') {
    return this.request(`/api/v1/models/${model}/runs${query}`, 'all-scopes', {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    });
  }
}

/** Status and code of a response. The code is `ok` if there is no error. */
export const codeOf = ({ status, body }: TestResponse): string => `${status} ${body.error?.code ?? 'ok'}`;

/** Gives a test file a gateway of its own. Call at the top level of the file. */
export function testGateway(): TestGateway {
  const own = new TestGateway();
  beforeAll(async () => {
    own.services = await startFakes();
    own.gateway = await startGatewayUnderTest(own.services.address);
  });
  afterAll(async () => {
    await own.gateway?.stop();
    await own.services?.stop();
  });
  return own;
}
