import { beforeAll, inject, test } from 'vitest';
import { SaringClient } from '#client/index.ts';
import { Rest } from './rest.ts';
import { issueKey, TENANT_SCOPES } from './issued-keys.ts';

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
  beforeAll(async () => Object.assign(tenant, await newTenant(TENANT_SCOPES, undefined, true)));
  return tenant;
}

export async function newTenant(
  scopes = TENANT_SCOPES,
  rateLimit?: number,
  isTest?: boolean,
): Promise<Tenant> {
  const { id, key } = await issueKey(inject('stateDir'), scopes, rateLimit, isTest);
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
