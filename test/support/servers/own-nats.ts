import { afterAll, beforeAll } from 'vitest';
import { connectNats, type Nats } from '#platform/nats/connection.ts';
import { createLogger } from '#platform/operations/logger.ts';
import { PrivateServer } from './private-server.ts';

/** Gives a test file its own NATS, and a connection of the service that declares its streams. Call at the top level of the file. */
export function ownNats(): { server: PrivateServer; nats: Nats } {
  const own = {} as { server: PrivateServer; nats: Nats };
  beforeAll(async () => {
    own.server = await PrivateServer.nats();
    own.nats = await connectNats(own.server.url, 'models', createLogger('test', 'silent'));
  });
  afterAll(async () => {
    await own.nats?.connection.close();
    await own.server?.remove();
  });
  return own;
}
