import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { freePort } from '../state/ports.ts';
import { checkNats } from './external-servers.ts';
import { startNatsServer } from './nats-server.ts';

test('an external NATS is reached with the credentials of its URL, even with an escaped password', async () => {
  const dir = mkdtempSync(path.join(tmpdir(), 'saring-external-'));
  const server = await startNatsServer({
    dir,
    port: await freePort(),
    users: [{ user: 'me', password: 'p@ss/word' }],
  });
  const url = (password: string) => `nats://me:${encodeURIComponent(password)}@127.0.0.1:${server.port}`;
  try {
    await expect(checkNats(url('p@ss/word'))).resolves.toBeUndefined();
    await expect(checkNats(url('another'))).rejects.toThrow(/NATS_URL points to .+Authorization/i);
  } finally {
    await server.stop();
    rmSync(dir, { recursive: true, force: true });
  }
});

test('an unavailable NATS server is reported at once instead of waited for', async () => {
  // A check that waited for it would report that its time was over.
  await expect(checkNats(`nats://127.0.0.1:${await freePort()}`)).rejects.toThrow(
    /which cannot be used: .*ECONNREFUSED/,
  );
});
