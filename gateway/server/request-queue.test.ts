import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { RequestQueue } from './request-queue.ts';
import { Turns } from './turns.ts';

const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`;

const stops: (() => void)[] = [];
afterEach(() => stops.splice(0).forEach((stop) => stop()));

/** A server whose connections share this count. It holds the answers to `/held`, and returns the bodies of others. */
async function sharing(unparsed: { taken: number }) {
  const queues = new Map<Socket, RequestQueue>();
  const turns = new Turns();
  const server = createServer((req, res) => queues.get(req.socket)!.add(req, res));
  server.on('connection', (socket: Socket) => {
    const handle = async (req: IncomingMessage, res: ServerResponse) => {
      const body = await text(req);
      if (req.url !== '/held') res.end(`${req.url} ${body}`);
    };
    queues.set(
      socket,
      new RequestQueue(socket, (...exchange) => void handle(...exchange), { turns, unparsed }),
    );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  stops.push(() => server.close().closeAllConnections());
  return () => connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});
}

test('when too much waits to be parsed, a connection that has sent much ends, and a small request is answered', async () => {
  const full = 1e9;
  const unparsed = { taken: full };
  const open = await sharing(unparsed);
  const greedy = open().resume();
  greedy.write(get('/held').repeat(10_000));
  await expect.poll(() => greedy.closed).toBe(true);
  const modest = open();
  modest.write(get('/small', 'Connection: close\r\n'));
  expect(await text(modest)).toMatch(/\/small $/);
  await expect.poll(() => unparsed.taken).toBe(full);
});

test('what waits to be parsed is counted until it is parsed or its connection is over', async () => {
  const unparsed = { taken: 0 };
  const open = await sharing(unparsed);
  const held = open().resume();
  held.write(get('/held').repeat(1_000));
  await expect.poll(() => unparsed.taken).toBeGreaterThan(20_000);
  const parsed = open();
  parsed.write(get('/one').repeat(1_000) + get('/last', 'Connection: close\r\n'));
  expect(await text(parsed)).toMatch(/\/last $/);
  held.resetAndDestroy();
  await expect.poll(() => unparsed.taken).toBe(0);
});

/** Bodies may hold what ends a head, and what looks like a request. */
const anyBody = fc.array(fc.constantFrom('x', '\r', '\n', '\r\n\r\n', get('/none'), 'y'.repeat(20_000)), {
  maxLength: 4,
});
const anyRequest = fc.record({ body: anyBody, isChunked: fc.boolean() });

function bytesOf({ body, isChunked }: { body: string[]; isChunked: boolean }, headers: string): string {
  const whole = body.join('');
  if (whole === '') return get('/', headers);
  const head = (length: string) => `POST / HTTP/1.1\r\nHost: a\r\n${headers}${length}\r\n\r\n`;
  if (!isChunked) return head(`Content-Length: ${whole.length}`) + whole;
  const chunks = body.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('');
  return `${head('Transfer-Encoding: chunked')}${chunks}0\r\n\r\n`;
}

test('requests arrive whole and in order, wherever the network cuts them', async () => {
  const open = await sharing({ taken: 0 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyRequest, { minLength: 1, maxLength: 40 }),
      fc.array(fc.integer({ min: 1, max: 3_000 }), { maxLength: 20 }),
      async (requests, cuts) => {
        const client = open().setNoDelay();
        const responses = text(client);
        const last = requests.length - 1;
        let bytes = requests
          .map((request, i) => bytesOf(request, i === last ? 'Connection: close\r\n' : ''))
          .join('');
        for (const cut of cuts) {
          client.write(bytes.slice(0, cut));
          bytes = bytes.slice(cut);
          await sleep(1);
        }
        client.write(bytes);
        const expected = requests.map(({ body }) => `/ ${body.join('')}`);
        expect(bodiesIn(await responses)).toEqual(expected);
      },
    ),
    { numRuns: 40 },
  );
});

/** The bodies of answers that declare their length. */
function bodiesIn(responses: string): string[] {
  const bodies = [];
  for (let at = 0; at < responses.length;) {
    const begin = responses.indexOf('\r\n\r\n', at) + 4;
    const length = Number(/Content-Length: (\d+)/.exec(responses.slice(at, begin))![1]);
    bodies.push(responses.slice(begin, (at = begin + length)));
  }
  return bodies;
}
