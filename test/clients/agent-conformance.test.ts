import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { ownTenant } from '#support/fleets/contract.ts';
import { nodeEnvironment } from '#support/processes/node-environment.ts';

const CHECKS = path.join(
  import.meta.dirname,
  'packages/node_modules/@modelcontextprotocol/conformance/dist/index.js',
);
/** What the scenarios ask of a server made for them, each with the reason why it fails here. */
const BASELINE = path.join(import.meta.dirname, 'agent-conformance-baseline.yml');

const tenant = ownTenant();
let door: Server;

/** The checks send no key, so that a door in front of the gateway adds it. */
beforeAll(async () => {
  const gateway = new URL(inject('baseUrl'));
  door = createServer((req, res) => {
    const { method, url: path } = req;
    const headers = { ...req.headers, authorization: `Bearer ${tenant.key}` };
    const passed = request(
      { host: gateway.hostname, port: gateway.port, method, path, headers },
      (answer) => {
        res.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(res);
      },
    );
    passed.on('error', () => res.destroy());
    req.pipe(passed);
  });
  await once(door.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => void door.close());

test('/mcp passes every conformance scenario that needs no server made for it', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'saring-conformance-'));
  const url = `http://127.0.0.1:${(door.address() as AddressInfo).port}/mcp`;
  const words = ['server', '--url', url, '--suite', 'all', '--expected-failures', BASELINE, '-o', folder];
  const ended = await promisify(execFile)(process.execPath, [CHECKS, ...words], {
    env: nodeEnvironment(),
  }).then(
    ({ stdout }) => ({ code: 0, stdout }),
    (failure: { code: number; stdout: string }) => failure,
  );
  await rm(folder, { recursive: true });
  expect(ended.code, stripVTControlCharacters(ended.stdout).slice(-6_000)).toBe(0);
});
