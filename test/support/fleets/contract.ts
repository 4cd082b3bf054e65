import { beforeAll, inject, test, vi } from 'vitest';
import { SaringClient } from '#client/index.ts';
import { Rest } from '../rest/rest.ts';
import { issueKey, TENANT_SCOPES, type IssuedKey } from './issued-keys.ts';
import { IN_TIME } from '#support/hangs.ts';

/** A key that only this test file uses, with a rate limit that it never reaches. */
export interface Tenant {
  /** For well-formed requests of the end user `tester`. It does not retry: a test sees the first response. */
  client: SaringClient;
  /** For requests that no client would send. */
  rest: Rest;
  key: string;
  keyId: string;
}

/** Gives a test file its own key on the shared fleet. Call at the top level of the file. */
export function ownTenant(scopes = TENANT_SCOPES): Tenant {
  const tenant = {} as Tenant;
  beforeAll(async () => Object.assign(tenant, await newTenant(scopes)));
  return tenant;
}

/** The same with a test key. */
export function ownTestTenant(): Tenant {
  const tenant = {} as Tenant;
  beforeAll(async () => Object.assign(tenant, await newTestTenant()));
  return tenant;
}

export async function newTenant(scopes = TENANT_SCOPES, rateLimit?: number): Promise<Tenant> {
  return tenantOf(await issueKey(inject('stateDir'), scopes, rateLimit));
}

/** The same with a test key. Its market is made when the first one of a fleet asks for it, and is there when this returns. */
export async function newTestTenant(): Promise<Tenant> {
  const tenant = tenantOf(await issueKey(inject('stateDir'), TENANT_SCOPES, undefined, true));
  await vi.waitFor(() => tenant.client.data.stocks({ limit: 1 }).first(), IN_TIME);
  return tenant;
}

function tenantOf({ id, key }: IssuedKey): Tenant {
  const baseUrl = inject('baseUrl');
  const client = new SaringClient({ baseUrl, apiKey: key, endUser: 'tester', retries: 0 });
  return { client, rest: new Rest(baseUrl, key), key, keyId: id };
}

/** For tests that need a fleet started by the tests. Against a deployment they are skipped. */
export function testOfOwnFleet(of: string): typeof test {
  const isDeployment = inject('isDeployment');
  if (isDeployment) console.info(`Skipped against a deployment: tests of ${of}.`);
  return test.skipIf(isDeployment) as typeof test;
}
