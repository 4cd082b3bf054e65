import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { startNatsServer } from '#local/servers/nats-server.ts';
import { startPostgresServer } from '#local/servers/postgres-server.ts';
import { freePort } from '#local/state/ports.ts';

const NAME_AND_PASSWORD = { user: 'saring', password: 'only-for-this-test-file' };

/** Gives a test file its own PostgreSQL and NATS. Call at the top level of the file; the URLs are there in tests. */
export function ownServers(): { databaseUrl: string; natsUrl: string } {
  const urls = { databaseUrl: '', natsUrl: '' };
  const stops: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    const dir = await mkdtemp(path.join(tmpdir(), 'saring-servers-'));
    stops.push(() => rm(dir, { recursive: true, force: true }));
    const postgres = await startPostgresServer({
      ...NAME_AND_PASSWORD,
      dir: path.join(dir, 'postgres'),
      port: await freePort(),
      database: 'saring',
    });
    stops.push(postgres.stop);
    const nats = await startNatsServer({
      users: [NAME_AND_PASSWORD],
      dir: path.join(dir, 'nats'),
      port: await freePort(),
    });
    stops.push(nats.stop);
    Object.assign(urls, { databaseUrl: postgres.url, natsUrl: nats.url });
  });
  afterAll(async () => {
    for (const stop of stops.toReversed()) await stop();
  });
  return urls;
}
