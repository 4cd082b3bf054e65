import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { freePort } from '#local/state/ports.ts';
import { OperationsPorts } from './operations-ports.ts';

const UNAVAILABLE = { ready: false, reasons: ['PostgreSQL: unavailable'], degraded: ['NATS: unavailable'] };
const METRICS = [
  '# HELP process_resident_memory_bytes Resident memory size in bytes.',
  'process_resident_memory_bytes 104857600',
  'process_start_time_seconds 1719568800',
  'saring_process_info{service="keys",version="1.2.3"} 1',
].join('\n');

test('a process that is not ready is shown with its reasons and metrics, and one that does not answer as silent', async () => {
  const notReady = createServer((req, res) => {
    res.statusCode = req.url === '/metrics' ? 200 : 503;
    res.end(req.url === '/metrics' ? METRICS : JSON.stringify(UNAVAILABLE));
  }).listen(0, '127.0.0.1');
  await once(notReady, 'listening');
  const { port } = notReady.address() as AddressInfo;
  const states = await new OperationsPorts(
    `models=http://127.0.0.1:${port}, usage=http://127.0.0.1:${await freePort()}`,
  ).states();
  notReady.close();
  expect(states).toEqual([
    {
      name: 'models',
      state: 'not_ready',
      reasons: UNAVAILABLE.reasons,
      degraded: UNAVAILABLE.degraded,
      version: '1.2.3',
      memory_bytes: 104_857_600,
      started_at: new Date(1_719_568_800_000),
    },
    expect.objectContaining({ name: 'usage', state: 'silent', version: null, memory_bytes: null }),
  ]);
  expect(states[1]!.reasons.join()).toContain('ECONNREFUSED');
});

test('a gateway without operations ports shows no processes', async () => {
  expect(await new OperationsPorts('').states()).toEqual([]);
});
