import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '#local/state/ports.ts';
import { savedScreen, testedWebhook } from '../support/declared-api/request-parts.ts';
import { settle } from '../support/fleets/broken-fleet.ts';
import { Fleet, SMALL_MARKET } from '../support/fleets/fleet.ts';
import { REPOSITORY } from '#support/repository.ts';
import { KeyIssuer, type IssuedKey } from '../support/fleets/issued-keys.ts';
import { submitRun, type JobBody } from '#support/rest/jobs.ts';
import { verifyRecord } from '#support/services/record.ts';
import { Rest } from '#support/rest/rest.ts';
import { runCli, saring } from '../support/fleets/saring-cli.ts';
import { servedDataset } from '#support/rest/served-dataset.ts';
import { storedRows, type RowHashes } from '../support/fleets/stored-rows.ts';
import { PrivateServer } from '../support/servers/private-server.ts';
import { ownServers } from '../support/servers/servers.ts';

const CLIENTS = 16;
const PAUSE_MS = 100;
/** Long enough to start two fleets, one after the other. */
const TWO_FLEETS_MS = 300_000;
const SCOPES = [
  'models:read',
  'models:run',
  'data:read',
  'usage:read',
  'screens:read',
  'screens:write',
  'events:read',
  'webhooks:write',
];
const KEPT = [
  ...(['runs', 'record', 'consents', 'keys', 'secrets'] as const),
  ...(['screens', 'watchlists', 'webhooks', 'deliveries'] as const),
];
const DOCUMENT = '/api/v1/consent/documents/fair_disclaimer';

/** Clients that submit, consent and issue keys in a loop, and the writes that a fleet acknowledged. */
class Writers {
  readonly jobs: string[] = [];
  readonly consents: string[] = [];
  readonly keys: IssuedKey[] = [];
  #isWriting = true;
  #finished: Promise<unknown> = Promise.resolve();

  start(rest: Rest, issuer: KeyIssuer, documentVersion: string): void {
    const write = async (client: number) => {
      for (let turn = 0; this.#isWriting; turn++) {
        const endUser = `client-${client}-${turn}`;
        if (client === 0) this.keys.push(await issuer.issue(SCOPES));
        else if (client % 4 === 1) await this.#consent(rest, endUser, documentVersion);
        else await this.#submit(rest, endUser);
        await sleep(PAUSE_MS);
      }
    };
    this.#finished = Promise.all(Array.from({ length: CLIENTS }, (_, client) => write(client)));
    // `stop` rethrows the error of a writer.
    this.#finished.catch(() => {});
  }

  async stop(): Promise<void> {
    this.#isWriting = false;
    await this.#finished;
  }

  /** A very busy machine may refuse a write, which then does not count as acknowledged. */
  async #submit(rest: Rest, endUser: string): Promise<void> {
    const body = { params: { lookback: 5 } };
    const response = await rest.post<JobBody>('/api/v1/models/confluence_filter/runs', body, { endUser });
    expect([202, 503]).toContain(response.status);
    if (response.status === 202) this.jobs.push(response.body.job_id);
  }

  async #consent(rest: Rest, endUser: string, document_version: string): Promise<void> {
    const body = { document_id: 'fair_disclaimer', document_version, locale: 'id' };
    const response = await rest.post<{ consent_id: string }>('/api/v1/consent', body, { endUser });
    expect([201, 503]).toContain(response.status);
    if (response.status === 201) this.consents.push(response.body.consent_id);
  }
}

interface BackupPart {
  table: string;
  file: string;
}
interface BackupSummary {
  point: string;
  dataset_version: string;
}

/** These servers stay unused until a backup is restored into them. */
const servers = ownServers();
let clickhouse: PrivateServer;
let folder: string;
let fleet: Fleet;
let restored: Fleet | undefined;
/** A key of the fleet that was backed up, and the time of the backup. */
let key: string;
let until: Date;
beforeAll(async () => {
  clickhouse = await PrivateServer.clickhouse();
  folder = await mkdtemp(path.join(tmpdir(), 'saring-backup-'));
  fleet = await Fleet.start({ ...SMALL_MARKET, DAILY_RUNS: 'true' });
});
afterAll(async () => {
  await fleet?.stop();
  await restored?.stop();
  await clickhouse?.remove();
  await rm(folder, { recursive: true, force: true });
});

const restore = (source: string, stateDir: string, env: Record<string, string> = {}) =>
  runCli(['restore', source], { cwd: REPOSITORY, env: { STATE_DIR: stateDir, ...env } });

/** Ids of rows in `wanted` that `found` lacks or has with other content. */
const lacking = (wanted: RowHashes, found: RowHashes) =>
  [...wanted].filter(([id, hash]) => found.get(id) !== hash).map(([id]) => id);

test(
  'a restored backup has exactly the rows acknowledged to 16 clients before its point, and none from later',
  async () => {
    const { base_url } = await fleet.file();
    const issuer = await KeyIssuer.of(fleet.stateDir);
    ({ key } = await issuer.issue(SCOPES));
    const rest = new Rest(base_url, key);
    const { version } = (await rest.get<{ version: string }>(DOCUMENT)).body;
    const saved = await savedScreen(rest, 'saver');
    const tested = await testedWebhook(rest);
    const facts = path.join(REPOSITORY, 'deploy/examples/facts');
    const importing = ['import', path.join(facts, 'facts.csv'), '--fields', path.join(facts, 'fields.json')];
    expect(await saring(fleet.stateDir, 'facts', ...importing)).toMatchObject({ code: 0 });
    // One for every model that picks stocks: under load, daily runs wait.
    const results = async () => (await storedRows(await fleet.file(), new Date())).market.get('model_result');
    await expect.poll(results, { interval: 1_000 }).toMatch(/^5 /);
    const writers = new Writers();
    writers.start(rest, issuer, version);
    await sleep(2_000);
    const copies = new pg.Client({ connectionString: await fleet.superuserUrl() });
    await copies.connect();
    await copies.query('create table models.bak as select * from models.run');
    await copies.end();

    const before = { jobs: [...writers.jobs], consents: [...writers.consents], keys: [...writers.keys] };
    const archive = path.join(folder, 'saring.tar');
    const made = await saring(fleet.stateDir, 'backup', archive, '--json');
    expect([made.code, made.stderr.includes('the backup is of')]).toEqual([0, true]);
    expect(made.stderr).toContain('models.bak is none of Saring’s tables and is left out');
    const { point, dataset_version } = JSON.parse(made.stdout) as BackupSummary;
    await sleep(500);
    await writers.stop();
    issuer.close();
    expect(Object.values(before).map((written) => written.length > 0)).toEqual([true, true, true]);
    await settle(rest, writers.jobs);
    until = new Date(point);
    const original = await storedRows(await fleet.file(), until);
    await fleet.stop();

    const stateDir = path.join(folder, 'restored');
    const ended = await restore(archive, stateDir);
    expect(ended).toMatchObject({ code: 0 });
    expect(ended.stdout).toContain(`Start the fleet with: STATE_DIR=${stateDir} make run\n`);
    restored = await Fleet.start({ STATE_DIR: stateDir, PORT: String(await freePort()) });
    const file = await restored.file();
    const again = new Rest(file.base_url, key);

    const states = await settle(again, before.jobs);
    expect([...states.values()].filter((state) => !['succeeded', 'interrupted'].includes(state))).toEqual([]);
    const found = await storedRows(file, until);
    // PostgreSQL may have recorded a few runs just after the point, though workers ended them just before it.
    const overAtPoint = new Map([...original.ledger].filter(([id]) => found.runs.has(id)));
    expect(original.runs.size - found.runs.size).toBeLessThanOrEqual(CLIENTS);
    expect(overAtPoint.size).toBeGreaterThan(0);
    // After the restore, the ledger gets from the runs the events that it lacked at the point.
    const isRecorded = async () => lacking(overAtPoint, (await storedRows(file, until)).ledger);
    await expect.poll(isRecorded).toEqual([]);
    expect(found.market).toEqual(original.market);
    for (const table of ['fact', 'model_result']) expect(found.market.get(table)).not.toMatch(/^0 /);
    for (const table of KEPT) expect(lacking(found[table], original[table]), table).toEqual([]);
    expect([...found.screens.keys(), ...found.watchlists.keys()]).toEqual(Object.values(saved));
    expect(found.webhooks.has(tested.webhook_id)).toBe(true);
    expect(found.deliveries.has(tested.delivery_id)).toBe(true);
    expect(before.consents.filter((id) => !found.consents.has(id))).toEqual([]);
    expect(before.keys.filter(({ id }) => !found.keys.has(id))).toEqual([]);

    expect((await servedDataset(again)).version).toBe(dataset_version);
    const last = await again.as(before.keys.at(-1)!.key).get('/api/v1/usage/summary');
    expect(last.status).toBe(200);
    expect(await verifyRecord(restored)).toMatchObject({ code: 0, problems: [] });
    expect((await submitRun(again, {}, '?wait=30')).status).toBe('succeeded');
  },
  TWO_FLEETS_MS,
);

test('a restore refuses a non-empty state directory, and a backup that is damaged or has other parts', async () => {
  const archive = path.join(folder, 'saring.tar');
  const full = await restore(archive, restored!.stateDir);
  expect(full).toMatchObject({ code: 1, stdout: '' });
  expect(full.stderr).toMatch(/is not empty \(it contains .+\), and a restore overwrites nothing/);

  const backup = path.join(folder, 'backup');
  expect(await saring(restored!.stateDir, 'backup', backup)).toMatchObject({ code: 0 });
  const again = await saring(restored!.stateDir, 'backup', backup);
  expect(again).toMatchObject({ code: 1 });
  expect(again.stderr).toContain('already exists');
  const manifestFile = path.join(backup, 'manifest.json');
  const manifest = JSON.parse(await readFile(manifestFile, 'utf8')) as { parts: BackupPart[] };
  const refusalWith = async (parts: BackupPart[]) => {
    await writeFile(manifestFile, JSON.stringify({ ...manifest, parts }));
    const refused = await restore(backup, path.join(folder, 'other-parts'));
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    return refused.stderr;
  };
  const without = (name: string) => manifest.parts.filter(({ file }) => !file.endsWith(`/${name}.tsv.zst`));
  for (const name of ['consent.consent_record', 'usage.event', 'usage.event.recent'])
    expect(await refusalWith(without(name))).toContain(`/${name}.tsv.zst. Use another backup.`);
  const dataset = manifest.parts.find(({ table }) => table === 'dataset')!;
  expect(await refusalWith([...manifest.parts, dataset])).toContain(`lists ${dataset.file} twice`);
  const copy = 'clickhouse/market.bak.tsv.zst';
  await copyFile(path.join(backup, dataset.file), path.join(backup, copy));
  const withCopy = await refusalWith([...manifest.parts, { ...dataset, table: 'bak', file: copy }]);
  expect(withCopy).toContain('has rows of market.bak, which is none of Saring’s tables');
  expect(withCopy).toContain('remove these tables from `parts`');
  await writeFile(manifestFile, JSON.stringify(manifest));
  const [part] = await readdir(path.join(backup, 'postgres'));
  const damaged = path.join(backup, 'postgres', part!);
  const bytes = await readFile(damaged);
  bytes[bytes.length - 1]! ^= 1;
  await writeFile(damaged, bytes);
  const stateDir = path.join(folder, 'empty');
  const refused = await restore(backup, stateDir);
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toContain(`postgres/${part} of the backup is damaged`);
  await expect(readdir(stateDir)).rejects.toThrow('ENOENT');
});

test(
  'a restore fills empty external servers, and a fleet continues on them',
  async () => {
    const expected = await storedRows(await restored!.file(), until);
    await restored!.stop();
    restored = undefined;
    const urls = { DATABASE_URL: servers.databaseUrl, CLICKHOUSE_URL: clickhouse.url };
    const archive = path.join(folder, 'saring.tar');
    const stateDir = path.join(folder, 'beside-own-servers');
    expect(await restore(archive, stateDir, urls)).toMatchObject({ code: 0 });
    // The restore used external stores: the state directory has secrets but no data of stores.
    expect((await readdir(stateDir)).filter((name) => ['postgres', 'clickhouse'].includes(name))).toEqual([]);
    const twice = await restore(archive, path.join(folder, 'twice'), urls);
    expect([twice.code, twice.stderr]).toEqual([1, expect.stringContaining('Restore into an empty')]);

    const env = { ...urls, NATS_URL: servers.natsUrl, STATE_DIR: stateDir };
    restored = await Fleet.start({ ...env, PORT: String(await freePort()) });
    const file = await restored.file();
    const isThere = async () => {
      const found = await storedRows(file, until);
      return [...KEPT, 'ledger' as const].flatMap((table) => lacking(expected[table], found[table]));
    };
    await expect.poll(isThere).toEqual([]);
    expect((await storedRows(file, until)).market).toEqual(expected.market);
    const rest = new Rest(file.base_url, key);
    expect((await submitRun(rest, {}, '?wait=30')).status).toBe('succeeded');
    expect(await verifyRecord(restored)).toMatchObject({ code: 0, problems: [] });
  },
  TWO_FLEETS_MS,
);
