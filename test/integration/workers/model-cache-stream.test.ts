import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { FETCH_WITHIN_MS, ModelCacheStream } from '#services/model-worker/model-cache/model-cache-stream.ts';
import type { CachedModel } from '#models/trained/model-cache.ts';
import { createLogger } from '#platform/operations/logger.ts';
import { connectNats, type Nats } from '#platform/nats/connection.ts';
import { waitFor } from '#platform/process/waiting.ts';
import { PrivateServer } from '#support/servers/private-server.ts';

const log = createLogger('test', 'silent');
/** Does not compress any further, like compressed numbers. */
const SERIALISED_MODEL = {
  digest: 'f00d',
  ensemble: { value: Float32Array.from({ length: 25_000 }, (_, i) => Math.sin(i * i)) },
} as unknown as CachedModel;

let server: PrivateServer;
const connections: Nats[] = [];
beforeAll(async () => {
  server = await PrivateServer.nats();
  // The service that declares the stream, then two workers with only their own rights.
  connections.push(await connectNats(server.urlOf('models'), 'models', log));
  for (let worker = 0; worker < 2; worker++)
    connections.push(await connectNats(server.urlOf('model-worker'), 'model-worker', log));
});
afterAll(async () => {
  for (const { connection } of connections) await connection.close();
  await server?.remove();
});

test('a worker gets exactly the model that another offered, and nothing under another name', async () => {
  const [one, other] = connections.slice(1).map((nats) => new ModelCacheStream(nats, log));
  one!.offer('f00d', SERIALISED_MODEL);
  const fetched = await waitFor(
    'the model',
    async () => {
      const found = await other!.fetch('f00d');
      if (!found) throw new Error('not there yet');
      return found;
    },
    { log },
  );
  expect(fetched).toEqual(SERIALISED_MODEL);
  expect(await other!.fetch('beef')).toBeUndefined();
});

test('while NATS hangs a run waits only briefly for a model', async () => {
  const stream = new ModelCacheStream(connections[1]!, log);
  await server.freeze();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], fakeNodeBuiltins: true });
  try {
    const fetched = stream.fetch('f00d');
    await vi.advanceTimersByTimeAsync(FETCH_WITHIN_MS);
    expect(await fetched).toBeUndefined();
  } finally {
    vi.useRealTimers();
    server.thaw();
  }
});
