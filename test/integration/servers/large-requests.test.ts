import { once } from 'node:events';
import { connect, type IncomingHttpHeaders } from 'node:http2';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { residentMiB } from '#support/measuring/processes.ts';
import { ownServers } from '#support/servers/servers.ts';
import {
  identityOf,
  keysClient,
  startService,
  type ServiceProcess,
} from '#support/processes/service-process.ts';

const CALLS = 30;
const MIB = 1024 * 1024;
const MESSAGE_BYTES = 31 * MIB;
/** Limit on the growth of the service's memory. All messages together are five times as large. */
const MAX_GROWTH_BYTES = 200 * MIB;

const servers = ownServers();
let service: ServiceProcess;

beforeAll(async () => {
  service = await startService('keys', {
    DATABASE_URL: servers.databaseUrl,
    NATS_URL: servers.natsUrl,
    KEY_PEPPER: 'pepper-of-this-test-file',
  });
});
afterAll(() => service?.kill());

function memoryBytes(): number {
  return residentMiB({ keys: service.pid }).get('keys')! * MIB;
}

const part = Buffer.alloc(MIB);

/** Sends one large message on its own connection, whether the service reads it or not. Returns the headers of the response. */
async function send(path: string, own: Record<string, string>): Promise<IncomingHttpHeaders> {
  const session = connect(`http://${service.address}`);
  const headers = { ':method': 'POST', 'content-type': 'application/grpc', te: 'trailers' };
  const stream = session.request({ ...headers, ':path': path, ...own });
  const answered = once(stream, 'response') as Promise<[IncomingHttpHeaders]>;
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(MESSAGE_BYTES, 1);
  async function* message() {
    yield prefix;
    for (let sent = 0; sent < MESSAGE_BYTES; sent += MIB) yield part;
  }
  await pipeline(message, stream.resume());
  const [response] = await answered;
  session.destroy();
  return response;
}

const { name, token } = identityOf('gateway');
const AUTHENTICATE = '/saring.keys.v1.KeysService/Authenticate';

test.each([
  ['without identity', AUTHENTICATE, {}, { 'grpc-status': '16', 'saring-code': 'caller_identity_required' }],
  [
    'without the operator token',
    '/saring.keys.v1.KeysService/CreateKey',
    {},
    { 'grpc-status': '16', 'saring-code': 'operator_token_required' },
  ],
  ['with identity', AUTHENTICATE, { 'x-caller': name, 'x-caller-token': token }, { 'grpc-status': '8' }],
  ['of the health check', '/grpc.health.v1.Health/Check', {}, { 'grpc-status': '8' }],
])('30 calls of 31 MiB %s are refused and not held in memory', async (_, path, own, refusal) => {
  const before = memoryBytes();
  let most = before;
  const watch = setInterval(() => (most = Math.max(most, memoryBytes())), 5);
  const responses = await Promise.all(Array.from({ length: CALLS }, () => send(path, own)));
  clearInterval(watch);
  if (process.env['SHOW_FIGURES']) console.log(path, Math.round((most - before) / MIB), 'MiB');
  for (const response of responses) expect(response).toMatchObject(refusal);
  expect(most - before).toBeLessThan(MAX_GROWTH_BYTES);
});

test('a service tells an own caller that its request is too large, which no repetition would help', async () => {
  const keys = keysClient(service.address, identityOf('gateway'));
  const secret = 'x'.repeat(2 * MIB);
  const response = keys.authenticate({ secret }, { requestId: 'req_test' });
  await expect(response).rejects.toMatchObject({ code: 'payload_too_large' });
  keys.close();
});
