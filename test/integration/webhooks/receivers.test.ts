import { createServer, type Server } from 'node:net';
import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import { MAX_ANSWER_BYTES } from '#services/webhooks/sending/sender.ts';
import { dnsResolve } from '#services/webhooks/sending/resolve.ts';
import type { ServiceError } from '#foundation/errors/service-error.ts';
import { HANGS_AFTER_MS } from '#support/hangs.ts';
import { startAliasDns } from '#support/servers/alias-dns.ts';
import {
  attemptDue,
  hangs,
  KEY,
  OTHER_KEY,
  receivers,
  saying,
  saysOk,
  testWebhooks,
  type Answer,
  type WebhooksUnderTest,
} from '#support/services/test-webhooks.ts';

const own = testWebhooks();
const receiver = receivers();
/** For endpoints that hang. */
const SOON_MS = 300;
const impatient = () => own.copy({ attemptTimeoutMs: SOON_MS });

/** What came of delivering one event to a URL. */
async function outcomeAt(url: string, service = own.copy()) {
  const { webhook } = await service.webhooks.create({ url, event_types: [] }, KEY);
  await own.arrive(service);
  await attemptDue(service);
  return outcomeOf(service, webhook.webhook_id);
}

async function outcomeOf(service: WebhooksUnderTest, webhook_id: string) {
  const { rows } = await service.deliveries.list({ webhook_id, api_key_id: KEY }, { limit: 1 });
  const { outcome, status, answer, error } = rows[0]!.attempts_made.at(-1)!;
  return { state: rows[0]!.state, outcome, status, answer, error };
}

test('an endpoint that hangs is left after the time of an attempt', async () => {
  const app = await receiver(hangs);
  expect(await outcomeAt(app.url, impatient())).toMatchObject({
    state: 'waiting',
    outcome: 'timed_out',
    status: null,
    error: 'No answer came within 0.3 s.',
  });
});

test('an endpoint that sends its headers one by one for ever is left after the time of an attempt', async () => {
  const app = await receiver((_request, response) => {
    const socket = response.socket!;
    socket.write('HTTP/1.1 200 OK\r\n');
    const more = setInterval(() => socket.write('x-more: yes\r\n'), 20);
    socket.once('close', () => clearInterval(more));
  });
  expect(await outcomeAt(app.url, impatient())).toMatchObject({ state: 'waiting', outcome: 'timed_out' });
});

test('a redirect fails and is not followed', async () => {
  const elsewhere = await receiver();
  const app = await receiver(saying(307, { location: elsewhere.url }));
  expect(await outcomeAt(app.url)).toMatchObject({ state: 'waiting', outcome: 'redirected', status: 307 });
  expect(elsewhere.received).toEqual([]);
});

test('an answer without end is cut, and its status counts', async () => {
  let sent = 0;
  const endless: Answer = (_request, response) => {
    response.writeHead(200);
    const chunk = Buffer.alloc(16_384, 'a');
    const more = () => {
      while (!response.destroyed) {
        sent += chunk.length;
        if (!response.write(chunk)) return void response.once('drain', more);
      }
    };
    more();
  };
  const app = await receiver(endless);
  const outcome = await outcomeAt(app.url);
  expect(outcome).toMatchObject({ state: 'delivered', outcome: 'delivered', status: 200 });
  expect(outcome.answer).toHaveLength(2_048);
  // The buffers of both sockets come on top.
  expect(sent).toBeLessThan(MAX_ANSWER_BYTES + 16 * 1024 ** 2);
});

test('an answer that breaks off counts by its status', async () => {
  const app = await receiver((_request, response) => {
    response.writeHead(200, { 'content-length': '1000' });
    response.write('half', () => response.destroy());
  });
  expect(await outcomeAt(app.url)).toMatchObject({ state: 'delivered', answer: 'half' });
});

test.each([
  [200, { state: 'delivered', outcome: 'delivered' }],
  [410, { state: 'waiting', outcome: 'error_status' }],
  [500, { state: 'waiting', outcome: 'error_status' }],
])(
  'a status of %i counts as soon as it is there, though the body behind it never ends',
  async (status, is) => {
    const app = await receiver((_request, response) => response.writeHead(status).write('half'));
    const expected = { ...is, status, answer: 'half' };
    expect(await outcomeAt(app.url, impatient())).toMatchObject(expected);
    // Nor does the body keep the endpoint for the time of an attempt.
    const patient = own.copy({ attemptTimeoutMs: HANGS_AFTER_MS });
    expect(await outcomeAt(app.url, patient)).toMatchObject(expected);
  },
);

test('a connection that ends without an answer is a failure', async () => {
  const app = await receiver((request) => request.socket.destroy());
  expect(await outcomeAt(app.url)).toMatchObject({ outcome: 'unreachable' });
  const switching = await receiver((_request, response) => {
    response.socket!.end('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n');
  });
  expect(await outcomeAt(switching.url)).toMatchObject({ state: 'waiting', outcome: 'unreachable' });
});

let raw: Server | undefined;
afterEach(() => raw?.close());

test('what is no HTTP at all is a failure', async () => {
  raw = createServer((socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n')).listen(0, '127.0.0.1');
  await once(raw, 'listening');
  const { port } = raw.address() as { port: number };
  expect(await outcomeAt(`http://127.0.0.1:${port}/`)).toMatchObject({ outcome: 'unreachable' });
});

test('bytes of an answer that would act on a terminal, or that the database refuses, are replaced', async () => {
  const app = await receiver((_request, response) => response.writeHead(400).end('a\u0000b\u001b[31mc\nd'));
  expect(await outcomeAt(app.url)).toMatchObject({ status: 400, answer: 'a\ufffdb\ufffd[31mc\nd' });
});

test('the connection goes to the address that was checked, whatever DNS says a moment later', async () => {
  const app = await receiver();
  const guarded = own.copy({ allowedRanges: [`127.0.0.1/32`] });
  own.dns.set('rebinding.example', [['127.0.0.1']]);
  const url = `http://rebinding.example:${app.port}/`;
  const { webhook } = await guarded.webhooks.create({ url, event_types: [] }, KEY);
  // Every further question is answered by another address.
  own.dns.set('rebinding.example', [['127.0.0.1'], ['127.0.0.2'], ['127.0.0.2']]);
  await own.arrive(guarded);
  await attemptDue(guarded);
  expect(await outcomeOf(guarded, webhook.webhook_id)).toMatchObject({ state: 'delivered' });
  expect(app.received[0]!.headers.host).toBe(`rebinding.example:${app.port}`);

  // Deliveries are listed by the time at which they were made.
  own.pass(1_000);
  await own.arrive(guarded);
  await attemptDue(guarded);
  expect(app.received).toHaveLength(1);
  expect(await outcomeOf(guarded, webhook.webhook_id)).toMatchObject({ outcome: 'address_refused' });
});

test('a name with one address that is not public is refused, though the others are', async () => {
  const guarded = own.copy({ allowedRanges: [] });
  own.dns.set('mixed.example', [['93.184.216.34', '10.0.0.1']]);
  const refusal = await refusalOf(guarded, 'http://mixed.example/');
  expect(refusal).toEqual({ loc: ['url'], msg: 'must have a host whose addresses are all public' });
});

test('a receiver whose name is only another name is accepted, and attempts fail for want of an address and count', async () => {
  const dns = await startAliasDns();
  try {
    const service = own.copy({ resolve: dnsResolve([dns.at]) });
    const { webhook } = await service.webhooks.create({ url: 'http://alias.example/', event_types: [] }, KEY);
    await own.arrive(service);
    await attemptDue(service);
    expect(await outcomeOf(service, webhook.webhook_id)).toMatchObject({
      state: 'waiting',
      outcome: 'unreachable',
      error: 'The name alias.example has no address: ENODATA.',
    });
    const about = { webhook_id: webhook.webhook_id, api_key_id: KEY };
    expect(await service.webhooks.get(about)).toMatchObject({ failures: 1 });
  } finally {
    dns.stop();
  }
});

test('a URL is as long as it is sent: the longest is delivered to, and a longer one refused', async () => {
  const app = await receiver();
  const room = 2_000 - `${app.url}?`.length;
  const longest = `${app.url}?${'é'.repeat(Math.floor(room / 6))}${'e'.repeat(room % 6)}`;
  expect(await outcomeAt(longest)).toMatchObject({ state: 'delivered' });
  const msg = 'must have at most 2000 characters once it is percent-encoded';
  expect(await refusalOf(own.copy(), `${longest}e`)).toEqual({ loc: ['url'], msg });
});

test.each([
  ['ftp://app.example/', 'must be an absolute URL with http or https'],
  ['/hook', 'must be an absolute URL with http or https'],
  ['https://user:secret@app.example/', 'must not contain a user or password'],
  ['https://app.example/#here', 'must not contain a fragment'],
  ['https://app.example./', 'must name its host without a dot at the end'],
  ['https://app.example:22/', 'must have one of these ports: 80, 443, 1024-65535'],
  ['http://localhost/', 'must have a host whose addresses are all public'],
  ['http://0x7f.1/', 'must have a host whose addresses are all public'],
  ['http://2130706433/', 'must have a host whose addresses are all public'],
  ['http://017700000001/', 'must have a host whose addresses are all public'],
  ['http://[::ffff:169.254.169.254]/', 'must have a host whose addresses are all public'],
  ['http://[fd00:ec2::254]/', 'must have a host whose addresses are all public'],
])('a webhook at %s is refused, and the error says what is allowed', async (url, msg) => {
  const ports = [
    { from: 80, to: 80 },
    { from: 443, to: 443 },
    { from: 1_024, to: 65_535 },
  ];
  own.dns.set('localhost', [['127.0.0.1', '::1']]);
  expect(await refusalOf(own.copy({ allowedRanges: [], ports }), url)).toEqual({ loc: ['url'], msg });
});

test('an endpoint that takes its time delays no other', async () => {
  const service = own.copy();
  const slow = await receiver(hangs);
  const quick = await receiver(saysOk);
  for (const { url } of [slow, quick]) await service.webhooks.create({ url, event_types: [] }, KEY);
  const id = await own.arrive(service);
  await service.dispatcher.round();
  await expect.poll(() => quick.ids).toEqual([id]);
  const next = await own.arrive(service);
  // The slow one has not answered, and the quick one gets the next event.
  await expect.poll(async () => (await service.dispatcher.round(), quick.ids)).toEqual([id, next]);
  expect(slow.ids).toEqual([id]);
  slow.stop();
  await service.dispatcher.settled();
});

test('endpoints that hang leave slots to those that work, once they are known to hang', async () => {
  const service = own.copy({ endpointsAtOnce: 8, attemptTimeoutMs: SOON_MS });
  const slow = await receiver(hangs);
  for (let i = 0; i < 40; i++)
    await service.webhooks.create({ url: slow.url, event_types: ['run.failed'] }, KEY);
  await own.arrive(service, { type: 'run.failed' });
  // Each hangs once: five rounds of eight.
  for (let round = 0; round < 5; round++) await attemptDue(service);
  expect(slow.received).toHaveLength(40);

  const patient = own.copy({ endpointsAtOnce: 8 });
  own.pass(60_000);
  const quick = await receiver(saysOk);
  await service.webhooks.create({ url: quick.url, event_types: ['run.succeeded'] }, KEY);
  await patient.dispatcher.round();
  await expect.poll(() => slow.received.length).toBe(44);
  const id = await own.arrive(service);
  await expect.poll(async () => (await patient.dispatcher.round(), quick.ids)).toEqual([id]);
  expect(slow.received).toHaveLength(44);
  slow.stop();
  await patient.dispatcher.settled();
});

test('a key whose endpoints all hang, with much that waits for each, delays no delivery of another key', async () => {
  const service = own.copy({ endpointsAtOnce: 30 });
  const [slow, quick] = [await receiver(hangs), await receiver(saysOk)];
  for (let i = 0; i < 20; i++) await service.webhooks.create({ url: slow.url, event_types: [] }, KEY);
  await service.webhooks.create({ url: quick.url, event_types: [] }, OTHER_KEY);
  for (let i = 0; i < 50; i++) await own.arrive(service);
  await service.dispatcher.round();
  await expect.poll(() => slow.received.length).toBeGreaterThanOrEqual(20);
  const ids = [await own.arrive(service, { key: OTHER_KEY })];
  await expect.poll(async () => (await service.dispatcher.round(), quick.ids)).toEqual(ids);
  slow.stop();
  await service.dispatcher.settled();
});

async function refusalOf(service: WebhooksUnderTest, url: string) {
  const refused = (await service.webhooks
    .create({ url, event_types: [] }, KEY)
    .catch((error: unknown) => error)) as ServiceError;
  expect(refused.code).toBe('invalid_request');
  const { loc, msg } = refused.detail[0]!;
  return { loc, msg };
}
