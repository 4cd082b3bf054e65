import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Manifest } from '#backup/manifest.ts';
import type { ClickHouseAddress } from '#platform/clickhouse/address.ts';
import { connectClickHouse } from '#platform/clickhouse/clickhouse.ts';
import { Fleet, SMALL_MARKET } from '#support/fleets/fleet.ts';
import { REPOSITORY } from '#support/repository.ts';
import { issueKey, type IssuedKey } from '#support/fleets/issued-keys.ts';
import { submitRun } from '#support/rest/jobs.ts';
import { errorCode, Rest } from '#support/rest/rest.ts';
import { runCli, saring } from '#support/fleets/saring-cli.ts';
import { storedRows } from '#support/fleets/stored-rows.ts';
import { ClickhouseCluster } from '#support/servers/clickhouse-cluster.ts';
import { PrivateServer } from '#support/servers/private-server.ts';
import { ownServers } from '#support/servers/servers.ts';

/** Enough keys that most likely every shard has some of them. */
const KEYS = 12;
const EVENTS = '/api/v1/usage/events?limit=50';
const SEVERAL_STARTS_MS = 240_000;

/** Its PostgreSQL stays unused until a backup is restored. */
const servers = ownServers();
let cluster: ClickhouseCluster;
let folder: string;
let fleet: Fleet;
let keys: IssuedKey[];
let clients: Rest[];
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'saring-cluster-'));
  cluster = await ClickhouseCluster.start();
  fleet = await Fleet.start({ ...SMALL_MARKET, ...settingsOf(cluster) });
  const { base_url } = await fleet.file();
  const issuing = Array.from({ length: KEYS }, () => issueKey(fleet.stateDir));
  keys = await Promise.all(issuing);
  clients = keys.map(({ key }) => new Rest(base_url, key));
});
afterAll(async () => {
  await fleet?.stop();
  await cluster?.remove();
  await rm(folder, { recursive: true, force: true });
});

function settingsOf({ address }: ClickhouseCluster): Record<string, string> {
  const { name } = address.cluster!;
  return { CLICKHOUSE_URL: address.url, CLICKHOUSE_CLUSTER: name, CLICKHOUSE_REPLICATED: 'false' };
}

async function rowsOn(url: string, table: string): Promise<number> {
  const node = connectClickHouse(url);
  const response = await node.query({ query: `SELECT count() AS n FROM ${table}`, format: 'JSONEachRow' });
  const [counted] = await response.json<{ n: string }>();
  await node.close();
  return Number(counted!.n);
}

const runsOf = async (rest: Rest) => {
  const { status, body } = await rest.get<{ events: unknown[] }>(EVENTS);
  return status === 200 ? body.events.length : status;
};

const findings = async () => {
  const { stdout } = await saring(fleet.stateDir, 'doctor', '--json');
  return (JSON.parse(stdout) as { findings: { check: string; what: string; fix: string }[] }).findings;
};

test('a fleet on a cluster runs models, answers market data, and records runs on every shard', async () => {
  const overview = await clients[0]!.get('/api/v1/data/market-overview');
  expect(overview.status).toBe(200);
  for (const rest of clients) expect((await submitRun(rest, {}, '?wait=30')).status).toBe('succeeded');
  for (const rest of clients) await expect.poll(() => runsOf(rest)).toBe(1);
  for (const url of cluster.nodes) {
    expect(await rowsOn(url, 'usage.event_shard')).toBeGreaterThan(0);
    expect(await rowsOn(url, 'market.daily_bar_shard')).toBeGreaterThan(0);
  }
  expect(await findings()).toEqual([]);
});

test.each([1, 0])(
  'while shard %i is down, usage history answers 503, runs succeed and reach the ledger after recovery',
  async (shard) => {
    const [rest] = clients as [Rest];
    const before = await runsOf(rest);
    await cluster.kill9(shard);
    const refused = await rest.get(EVENTS);
    expect([refused.status, errorCode(refused)]).toEqual([503, 'usage_unavailable']);
    expect((await rest.get('/api/v1/data/market-overview')).status).toBe(200);
    expect((await submitRun(rest, {}, '?wait=30')).status).toBe('succeeded');

    const { host } = new URL(cluster.nodes[shard]!);
    expect(await findings()).toContainEqual({
      check: 'ClickHouse servers',
      what: expect.stringContaining(
        `Server ${host} of the ClickHouse cluster saring does not answer`,
      ) as string,
      fix: expect.stringContaining('Start it again: no other server has its rows') as string,
    });
    const backup = await saring(fleet.stateDir, 'backup', path.join(folder, `without-${shard}.tar`));
    expect(backup).toMatchObject({ code: 1, stdout: '' });
    expect(backup.stderr).toContain(`A ClickHouse server does not answer: connect ECONNREFUSED ${host}`);

    await cluster.startShard(shard);
    await expect.poll(() => runsOf(rest)).toBe(before + 1);
    await expect.poll(findings).toEqual([]);
  },
);

test(
  'a backup of a cluster restores the same rows to a single server and to another cluster',
  async () => {
    const until = new Date();
    const archive = path.join(folder, 'backup');
    expect(await saring(fleet.stateDir, 'backup', archive)).toMatchObject({ code: 0 });
    const original = await storedRows(await fleet.file(), until);
    expect(original.ledger.size).toBeGreaterThanOrEqual(KEYS);
    await fleet.stop({ keepState: true });

    /** Restores into a separate PostgreSQL database and that ClickHouse. */
    const restore = async (source: string, database: string, clickhouse: Record<string, string>) => {
      const databaseUrl = new URL(servers.databaseUrl);
      databaseUrl.pathname = database;
      const env = { DATABASE_URL: databaseUrl.href, STATE_DIR: path.join(folder, database), ...clickhouse };
      return { ...(await runCli(['restore', source], { cwd: REPOSITORY, env })), postgres: databaseUrl.href };
    };
    const rowsIn = (postgres: string, at: ClickHouseAddress) =>
      storedRows({ stores: { postgres, clickhouse: { market: at, usage: at } } }, until);
    const admin = new pg.Client({ connectionString: servers.databaseUrl });
    await admin.connect();
    for (const name of ['alone', 'sharded']) await admin.query(`create database ${name}`);
    await admin.end();

    const single = await PrivateServer.clickhouse();
    const other = await ClickhouseCluster.start();
    try {
      const alone = await restore(archive, 'alone', { CLICKHOUSE_URL: single.url });
      expect(alone).toMatchObject({ code: 0 });
      expect(await rowsIn(alone.postgres, { url: single.url })).toEqual(original);

      const manifestFile = path.join(archive, 'manifest.json');
      const manifest = await readFile(manifestFile, 'utf8');
      const miscounted = JSON.parse(manifest) as Manifest;
      miscounted.parts.at(-1)!.rows += 1;
      await writeFile(manifestFile, JSON.stringify(miscounted));
      const failed = await restore(archive, 'sharded', settingsOf(other));
      expect([failed.code, failed.stderr]).toEqual([
        1,
        expect.stringMatching(/has \d+ rows after the restore/),
      ]);
      await writeFile(manifestFile, manifest);

      // This restore would be refused if rows of the failed one were left.
      const sharded = await restore(archive, 'sharded', settingsOf(other));
      expect(sharded).toMatchObject({ code: 0 });
      expect(await rowsIn(sharded.postgres, other.address)).toEqual(original);
      for (const url of other.nodes) expect(await rowsOn(url, 'usage.event_shard')).toBeGreaterThan(0);
      await rm(path.join(folder, 'sharded'), { recursive: true });
      const twice = await restore(archive, 'sharded', settingsOf(other));
      expect([twice.code, twice.stderr]).toEqual([
        1,
        expect.stringMatching(
          /already contains .+ left it there, remove it first: DROP SCHEMA .+ DROP DATABASE/,
        ),
      ]);
    } finally {
      await Promise.all([single.remove(), other.remove()]);
    }
  },
  SEVERAL_STARTS_MS,
);
