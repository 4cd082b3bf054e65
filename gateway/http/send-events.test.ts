import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import type { Request, Response } from 'express';
import { expect, test, vi } from 'vitest';
import { EventStream } from './event-stream.ts';
import { sendEvents } from './send-events.ts';

const EVENT_BYTES = 65_536;
/** Many times what the system buffers for a connection. */
const EVENTS = 4_000;

test('a reader that reads nothing holds up the events, and the source learns when it leaves', async () => {
  let made = 0;
  let isOver = false;
  const source = async function* () {
    try {
      for (; made < EVENTS; made++) yield { id: String(made), name: 'status', data: 'x'.repeat(EVENT_BYTES) };
    } finally {
      isOver = true;
    }
  };
  const server = createServer(
    (req, res) => void sendEvents(req as Request, res as Response, new EventStream(source())),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const reader = connect((server.address() as AddressInfo).port, '127.0.0.1');
  reader.pause();
  reader.write('GET / HTTP/1.1\r\nHost: gateway\r\n\r\n');

  let madeBefore = -1;
  const isHeldUp = () => made > 0 && made === madeBefore;
  await vi.waitUntil(() => isHeldUp() || ((madeBefore = made), false), { timeout: 10_000, interval: 250 });
  expect(made).toBeLessThan(EVENTS / 4);
  expect(isOver).toBe(false);
  reader.destroy();
  await expect.poll(() => isOver).toBe(true);
  server.close();
});
