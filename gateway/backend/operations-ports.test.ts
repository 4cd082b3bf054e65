import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '#local/state/ports.ts';
import { OperationsPorts } from './operations-ports.ts';

const READY = { ready: true, reasons: [], degraded: ['NATS: away'] };
const AWAY = { ready: false, reasons: ['PostgreSQL: away'], degraded: [] };
const METRICS = [
  '# HELP process_resident_memory_bytes Resident memory size in bytes.',
  'process_resident_memory_bytes 104857600',
  'process_start_time_seconds 1719568800',
  'saring_process_info{service="keys",version="1.2.3"} 1',
].join('\n');

let server: Server;
let url: string;
beforeAll(async () => {
  server = createServer((req, res) => {
    const { pathname } = new URL(req.url!, 'http://x');
    if (pathname === '/metrics') return res.end(METRICS);
    if (pathname === '/readyz') return res.end(JSON.stringify(READY));
    return res.end('no JSON');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server?.close());

test('the state of a process combines its readiness report and its metrics', async () => {
  expect(await new OperationsPorts(`keys=${url}`).states()).toEqual([
    {
      name: 'keys',
      state: 'ready',
      reasons: [],
      degraded: ['NATS: away'],
      version: '1.2.3',
      memory_bytes: 104_857_600,
      started_at: new Date(1_719_568_800_000),
    },
  ]);
});

test('a process that is not ready is shown with its reasons, and one that does not answer as silent', async () => {
  const notReady = createServer((req, res) => {
    res.statusCode = 503;
    res.end(req.url === '/metrics' ? '' : JSON.stringify(AWAY));
  }).listen(0, '127.0.0.1');
  await once(notReady, 'listening');
  const { port } = notReady.address() as AddressInfo;
  const states = await new OperationsPorts(
    `models=http://127.0.0.1:${port}, usage=http://127.0.0.1:${await freePort()}`,
  ).states();
  notReady.close();
  expect(states).toMatchObject([
    { name: 'models', state: 'not_ready', reasons: AWAY.reasons, version: null, started_at: null },
    { name: 'usage', state: 'silent', memory_bytes: null },
  ]);
  expect(states[1]!.reasons.join()).toContain('ECONNREFUSED');
});

test('a gateway without operations ports shows no processes', async () => {
  expect(await new OperationsPorts('').states()).toEqual([]);
});
