import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import type { RunningServer } from '#local/servers/embedded-server.ts';
import { freePort } from '#local/state/ports.ts';
import { copyMadeOnce } from './made-once.ts';
import { startNats, startPostgres } from './stack.ts';

const NAME_AND_PASSWORD = { user: 'saring', password: 'only-for-this-test-file' };

/** Gives a test file its own PostgreSQL and NATS. Call at the top level of the file; the URLs are set when tests run. */
export function ownServers(): { databaseUrl: string; natsUrl: string } {
  const urls = { databaseUrl: '', natsUrl: '' };
  const stops: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    const dir = await mkdtemp(path.join(tmpdir(), 'saring-servers-'));
    stops.push(() => rm(dir, { recursive: true, force: true }));
    await copyMadeOnce('postgres', path.join(dir, 'postgres'), makeCluster);
    const postgres = await startCluster(path.join(dir, 'postgres'));
    stops.push(postgres.stop);
    const nats = await startNats({
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

async function startCluster(dir: string): Promise<RunningServer> {
  return startPostgres({ ...NAME_AND_PASSWORD, dir, port: await freePort(), database: 'saring' });
}

/** Creating a cluster takes nine tenths of the CPU time of a start. */
async function makeCluster(dir: string): Promise<void> {
  await (await startCluster(dir)).stop();
}
