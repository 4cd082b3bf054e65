import { once } from 'node:events';
import { constants, createServer, type Http2Server, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { KeysServiceService } from '#proto/saring/keys/v1/keys.ts';
import { clientOf } from '#support/processes/service-process.ts';

let server: Http2Server;
let client: ReturnType<typeof clientOf<typeof KeysServiceService>>;
afterEach(() => {
  client.close();
  server.close();
});

/** A server that refuses this many calls unread, as one does that stops, and answers the others with an empty message. */
async function refusing(times: number): Promise<{ received: () => number }> {
  let received = 0;
  server = createServer();
  server.on('stream', (stream: ServerHttp2Stream) => {
    received++;
    // The refusal is an error of the stream here too.
    stream.on('error', () => {});
    if (received <= times) return stream.close(constants.NGHTTP2_REFUSED_STREAM);
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    stream.respond({ ':status': 200, 'content-type': 'application/grpc+proto' }, { waitForTrailers: true });
    stream.end(Buffer.alloc(5));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  client = clientOf(KeysServiceService, `127.0.0.1:${(server.address() as AddressInfo).port}`);
  return { received: () => received };
}

const call = (signal?: AbortSignal) =>
  client.authenticate({ secret: 'sar_x' }, { requestId: 'req_x', ...(signal && { signal }) });

test('a call that a stopping server refuses unread is sent again until one takes it', async () => {
  const { received } = await refusing(5);
  expect(await call()).toMatchObject({ api_key: undefined });
  expect(received()).toBe(6);
});

test('a server that refuses every call counts as unavailable', async () => {
  await refusing(Infinity);
  await expect(call()).rejects.toMatchObject({ code: 'data_unavailable', httpStatus: 503 });
});

test('nobody who has left is called for again', async () => {
  const { received } = await refusing(Infinity);
  const left = new AbortController();
  const refused = call(left.signal);
  left.abort();
  await expect(refused).rejects.toMatchObject({ code: 'data_unavailable' });
  expect(received()).toBeLessThanOrEqual(1);
});
