import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
// Unlike the global ones, these go on while the test moves the time of the server.
import { clearInterval, setInterval } from 'node:timers';
import { connect } from 'node:tls';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { KeysServiceService } from '#proto/saring/keys/v1/keys.ts';
import { REPOSITORY } from '#support/repository.ts';
import { SERVER_CONFIG } from '#support/processes/service-process.ts';
import { createGrpcClient } from './client.ts';
import { GrpcServer, type Handlers } from './server.ts';
import { needing } from '#support/needing.ts';

const RENEWED_WITHIN_MS = 5_000;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'saring-certificates-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const file = (name: string) => path.join(folder, name);
const tlsOf = (name: string) => ({
  GRPC_TLS_CA: file('ca.crt'),
  GRPC_TLS_CERT: file(`${name}.crt`),
  GRPC_TLS_KEY: file(`${name}.key`),
});

function makeCertificates(): void {
  execFileSync(process.execPath, ['deploy/tls/make-certificates.ts', folder], { cwd: REPOSITORY });
}

/** The serial number of the certificate that the server shows on a new connection. */
function serialShown(port: number): Promise<string> {
  const files = { ca: readFileSync(file('ca.crt')), cert: readFileSync(file('gateway.crt')) };
  return new Promise((resolve, reject) => {
    const to = { port, host: '127.0.0.1', servername: 'localhost', ALPNProtocols: ['h2'] };
    const socket = connect({ ...to, ...files, key: readFileSync(file('gateway.key')) }, () => {
      resolve(socket.getPeerCertificate().serialNumber);
      socket.destroy();
    });
    socket.once('error', reject);
  });
}

const { status } = spawnSync('openssl', ['version']);

describe('certificates of mutual TLS', needing('openssl', status === 0), () => {
  test('are used without a restart once renewed; an incomplete renewal is ignored and no call fails', async () => {
    makeCertificates();
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const server = new GrpcServer({
      service: 'test',
      config: { ...SERVER_CONFIG, ...tlsOf('keys') },
      log: pino({ level: 'silent' }),
    });
    server.add(KeysServiceService, {
      getKey: async () => ({ api_key: undefined }),
    } as unknown as Handlers<KeysServiceService>);
    const port = await server.listen();
    const client = createGrpcClient(KeysServiceService, {
      address: `localhost:${port}`,
      tls: tlsOf('scheduler'),
      timeoutMs: 5_000,
      unavailableCode: 'internal_error',
    });
    const failures: unknown[] = [];
    let calls = 0;
    const load = setInterval(() => {
      client.getKey({ id: 'key_1' }, { requestId: 'req_test' }).then(
        () => calls++,
        (error: unknown) => failures.push(error),
      );
    }, 50);
    try {
      const first = await serialShown(port);
      copyFileSync(file('keys.key'), file('kept.key'));
      writeFileSync(file('keys.key'), 'no key');
      vi.advanceTimersByTime(RENEWED_WITHIN_MS);
      expect(await serialShown(port)).toBe(first);
      copyFileSync(file('kept.key'), file('keys.key'));
      makeCertificates();
      vi.advanceTimersByTime(RENEWED_WITHIN_MS);
      await expect.poll(() => serialShown(port)).not.toBe(first);
      const before = calls;
      await expect.poll(() => calls).toBeGreaterThan(before + 20);
      expect(failures).toEqual([]);
    } finally {
      clearInterval(load);
      client.close();
      await server.stop();
    }
  });

  test('are refused at start if key and certificate do not match', () => {
    makeCertificates();
    const tls = { ...tlsOf('keys'), GRPC_TLS_KEY: file('usage.key') };
    const options = { address: 'localhost:1', timeoutMs: 1, unavailableCode: 'internal_error' } as const;
    expect(() => createGrpcClient(KeysServiceService, { ...options, tls })).toThrow(/key values mismatch/);
  });
});
