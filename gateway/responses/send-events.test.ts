import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import type { Request, Response } from 'express';
import { expect, test, vi } from 'vitest';
import { readEvents } from '#support/rest/event-reader.ts';
import { sendEvents, type StreamEvent } from './send-events.ts';

/** Answers every request with these events. */
async function serve(events: () => AsyncGenerator<StreamEvent>, mayTell = async () => true) {
  const server = createServer(
    (req, res) => void sendEvents(req as Request, res as Response, events(), mayTell),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}

const EVENT_BYTES = 65_536;
/** Many times what the operating system buffers for a connection. */
const EVENTS = 4_000;

test('a client that reads nothing pauses the event source, and the source ends when the client disconnects', async () => {
  let made = 0;
  let isOver = false;
  const source = async function* () {
    try {
      for (; made < EVENTS; made++) yield { id: String(made), name: 'status', data: 'x'.repeat(EVENT_BYTES) };
    } finally {
      isOver = true;
    }
  };
  const { server, port } = await serve(source);
  const reader = connect(port, '127.0.0.1');
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

test('a stream and its source end cleanly before the first event that may not be sent', async () => {
  let isOver = false;
  const source = async function* () {
    try {
      for (const id of ['first', 'second', 'third']) yield { id, name: 'status', data: {} };
    } finally {
      isOver = true;
    }
  };
  const responses = [true, true, false];
  const { server, port } = await serve(source, async () => responses.shift()!);
  const stream = await readEvents(`http://127.0.0.1:${port}/`, { key: 'any' });
  await stream.ended;
  expect(stream.events.map(({ id }) => id)).toEqual(['first', 'second']);
  expect(isOver).toBe(true);
  server.close();
});

test('a reader that leaves before the stream begins is no failure', async () => {
  const begun = Promise.withResolvers<void>();
  const server = createServer((req, res) => {
    const begin = async () => {
      const events = async function* () {
        yield { id: 'first', name: 'status', data: {} };
      };
      await sendEvents(req as Request, res as Response, events(), async () => true);
    };
    res.once('close', () => void begin().then(begun.resolve, begun.reject));
    reader.destroy();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const reader = connect((server.address() as AddressInfo).port, '127.0.0.1');
  reader.write('GET / HTTP/1.1\r\nHost: gateway\r\n\r\n');
  await begun.promise;
  server.close();
});
