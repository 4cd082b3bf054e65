import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asOrdinaryUser } from './ordinary-user.ts';
import { freePort } from '../state/ports.ts';
import { startPostgresServer, type PostgresOptions } from './postgres-server.ts';
import type { RunningServer } from './embedded-server.ts';
import { HANGS_AFTER_MS } from '#support/hangs.ts';
import { needing, ROOT } from '#support/needing.ts';

let options: PostgresOptions;
let server: RunningServer;

beforeAll(async () => {
  const dir = mkdtempSync(path.join(tmpdir(), 'saring-postgres-'));
  options = {
    dir,
    port: await freePort(),
    user: 'saring',
    password: 'only-for-this-test',
    database: 'saring',
  };
  server = await startPostgresServer(options);
});

afterAll(async () => {
  await server.stop();
  rmSync(options.dir, { recursive: true, force: true });
});

async function withClient<T>(work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: server.url });
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

const countRows = () =>
  withClient(async (client) =>
    Number((await client.query<{ n: string }>('select count(*) n from t')).rows[0]!.n),
  );

describe('PostgreSQL', () => {
  test('keeps every row acknowledged before a kill -9', async () => {
    await withClient(async (client) => {
      await client.query('create table t (id int)');
      for (let id = 0; id < 200; id++) await client.query('insert into t values ($1)', [id]);
      process.kill(server.pid, 'SIGKILL');
      await server.exited;
    });
    server = await startPostgresServer(options);
    expect(await countRows()).toBe(200);
  });

  test('starts even if its lock file names a process id that another process now has', async () => {
    await server.stop();
    writeFileSync(path.join(options.dir, 'data', 'postmaster.pid'), `${process.pid}\n`);
    server = await startPostgresServer(options);
    expect(await countRows()).toBe(200);
  });

  test('stops at once even with connected clients', async () => {
    await withClient(async () => {
      const begun = performance.now();
      await server.stop();
      expect(performance.now() - begun).toBeLessThan(HANGS_AFTER_MS);
    });
    server = await startPostgresServer(options);
  });

  test('reports at once a password that does not match the data', async () => {
    await server.stop();
    const start = startPostgresServer({ ...options, password: 'another' });
    await expect(start).rejects.toThrow('PostgreSQL refuses the password');
    server = await startPostgresServer(options);
  });

  test('recreates data whose initialisation was interrupted', async () => {
    const dir = path.join(options.dir, 'cut-short');
    mkdirSync(path.join(dir, 'data.unfinished'), { recursive: true });
    writeFileSync(path.join(dir, 'data.unfinished', 'PG_VERSION'), '18\n');
    const second = await startPostgresServer({ ...options, dir, port: await freePort() });
    await second.stop();
    expect(existsSync(path.join(dir, 'data.unfinished'))).toBe(false);
  });

  test(
    'starts for root without a user namespace, and later with one again',
    needing(ROOT, process.getuid?.() === 0),
    async () => {
      await server.stop();
      server = await startPostgresServer(options, asOrdinaryUser(false));
      expect(await countRows()).toBe(200);
      await server.stop();
      server = await startPostgresServer(options);
      expect(await countRows()).toBe(200);
    },
  );
});
