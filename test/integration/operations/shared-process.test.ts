import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ConsentServiceService } from '#proto/saring/consent/v1/consent.ts';
import { callerToken } from '#platform/grpc/callers.ts';
import { freePort } from '#local/state/ports.ts';
import { LIGHT_SERVICES } from '#services/service-table.ts';
import { REPOSITORY } from '#support/repository.ts';
import { scrape } from '#support/fleets/scrape.ts';
import { nodeEnvironment } from '#support/processes/node-environment.ts';
import {
  clientOf,
  identityOf,
  startServices,
  type ServiceProcess,
} from '#support/processes/service-process.ts';
import { ownServers } from '#support/servers/servers.ts';

const servers = ownServers();
const ports = { keys: 0, keysOps: 0, consent: 0, consentOps: 0 };
const SECRET_OF_CONSENT = 'caller-secret-of-consent-alone';
let shared: Omit<ServiceProcess, 'address'>;

beforeAll(async () => {
  for (const name of Object.keys(ports) as (keyof typeof ports)[]) ports[name] = await freePort();
  shared = await startServices(['keys', 'consent'], {
    DATABASE_URL: servers.databaseUrl,
    NATS_URL: servers.natsUrl,
    KEY_PEPPER: 'pepper-of-this-test-file',
    KEYS__GRPC_PORT: String(ports.keys),
    KEYS__OPS_PORT: String(ports.keysOps),
    CONSENT__GRPC_PORT: String(ports.consent),
    CONSENT__OPS_PORT: String(ports.consentOps),
    CONSENT__CALLER_SECRET: SECRET_OF_CONSENT,
  });
});
afterAll(() => shared?.kill());

/** Runs services that must not start. Returns the exit code and what they say. */
async function refused(env: Record<string, string>): Promise<{ code: number; stderr: string }> {
  const script = path.join(REPOSITORY, 'build/services.js');
  const options = { env: { ...nodeEnvironment(), ...env } };
  return promisify(execFile)(process.execPath, [script], options).then(
    () => ({ code: 0, stderr: '' }),
    ({ code, stderr }: { code: number; stderr: string }) => ({ code, stderr }),
  );
}

test('a setting with the name of a service in front is for that service alone', async () => {
  const checkWith = async (secret?: string) => {
    const token = secret && callerToken(secret, 'gateway');
    const identity = identityOf('gateway', token);
    const client = clientOf(ConsentServiceService, `127.0.0.1:${ports.consent}`, { identity });
    const request = { api_key_id: 'key_a', end_user: 'alice', document_id: 'fair_disclaimer' };
    const response = client.checkConsent(request, { requestId: 'req_test' });
    const code = await response.then(
      () => 'answered',
      (error: { code: string }) => error.code,
    );
    client.close();
    return code;
  };
  expect(await checkWith(SECRET_OF_CONSENT)).toBe('answered');
  // The secret that all services of the tests have, and keys in this process. A refused identity counts as an outage.
  expect(await checkWith()).toBe('data_unavailable');
});

test('each service exposes its own metrics, once, and those of the process', async () => {
  const pages = {
    keys: await scrape(`http://127.0.0.1:${ports.keysOps}`),
    consent: await scrape(`http://127.0.0.1:${ports.consentOps}`),
  };
  for (const [service, page] of Object.entries(pages)) {
    const info = page
      .filter(({ name }) => name === 'saring_process_info')
      .map(({ labels }) => labels['service']);
    expect(info).toEqual([service]);
    const pools = page
      .filter(({ name }) => name === 'saring_postgres_waiting')
      .map(({ labels }) => labels['schema']);
    expect(pools).toEqual([service]);
    expect(page.filter(({ name }) => name === 'process_resident_memory_bytes')).toHaveLength(1);
  }
});

test('the mistakes in the settings of all services are reported before the process ends with 78', async () => {
  const { code, stderr } = await refused({ SERVICES: 'keys,consent', CONSENT__GRPC_PORT: 'none' });
  expect(code).toBe(78);
  expect(stderr).toMatch(
    /saring keys cannot start: these settings are missing or wrong:[^]*KEY_PEPPER is not set/,
  );
  expect(stderr).toMatch(/saring consent cannot start: [^]*GRPC_PORT must be a whole number/);
});

test.each([
  ['', 'SERVICES names no service. These'],
  ['keys,gateway', 'SERVICES names gateway. These'],
])('SERVICES=%s is refused with the names that can share a process', async (SERVICES, sentence) => {
  const { code, stderr } = await refused({ SERVICES });
  expect([code, stderr]).toEqual([78, `${sentence} can share a process: ${LIGHT_SERVICES.join(', ')}.\n`]);
});

test('a service that cannot start ends the process with its sentence', async () => {
  const { code, stderr } = await refused({
    SERVICES: 'consent,keys',
    DATABASE_URL: servers.databaseUrl,
    NATS_URL: servers.natsUrl,
    KEY_PEPPER: 'pepper-of-this-test-file',
    OPERATOR_TOKEN: 'operator-token-of-the-tests',
    CALLER_SECRET: 'caller-secret-of-the-tests',
    KEYS__GRPC_PORT: String(ports.keys),
    CONSENT__GRPC_PORT: '0',
  });
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/^saring keys cannot start: port \d+ on 127\.0\.0\.1 cannot be used/m),
  ]);
});

test('a stop ends all services in order, and the process with 0', async () => {
  const exitCode = await shared.kill('SIGTERM');
  expect(exitCode).toBe(0);
  expect(shared.output()).not.toMatch(/did not stop cleanly/);
});
