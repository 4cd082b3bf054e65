import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectClickHouse } from '#platform/clickhouse/clickhouse.ts';
import type { FleetFile } from '#support/fleets/fleet.ts';
import { issueKey, TENANT_SCOPES, type IssuedKey } from '#support/fleets/issued-keys.ts';
import { pollUntilFinal, type JobBody } from '#support/rest/jobs.ts';
import { Rest } from '#support/rest/rest.ts';
import { saring, startCli } from '#support/fleets/saring-cli.ts';
import { clickhouseRows } from '#platform/clickhouse/rows.ts';
import { signal, thaw } from '#support/processes/signals.ts';
import { own } from './fleet.ts';

/** Ids that are nowhere else in the stores, so that every table can be searched for them. */
const LEAVER = 'leaver-7f3a91';
const STAYER = 'stayer-2b8c44';

let file: FleetFile;
let postgres: Client;
let keys: { one: IssuedKey; other: IssuedKey };
let folder: string;
beforeAll(async () => {
  file = await own.fleet.file();
  folder = await mkdtemp(path.join(tmpdir(), 'saring-end-users-'));
  postgres = new Client({ connectionString: file.stores.postgres });
  await postgres.connect();
  const issue = () => issueKey(own.fleet.stateDir, TENANT_SCOPES);
  keys = { one: await issue(), other: await issue() };
});
afterAll(async () => {
  await postgres?.end();
  await rm(folder, { recursive: true, force: true });
});

const rest = (key: IssuedKey) => new Rest(file.base_url, key.key);
const endUsers = (...words: string[]) => saring(own.fleet.stateDir, 'end-users', ...words);

async function eraseOf(key: string, endUser: string) {
  const { code, stdout, stderr } = await endUsers('erase', key, endUser, '--yes', '--json');
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as {
    erased: Record<string, number>;
    kept: { kind: string; count: number; reason: string }[];
    pending: number;
  };
}

/** Something of every kind that is stored about an end user. */
async function useEverything(key: IssuedKey, endUser: string): Promise<{ jobId: string; screenId: string }> {
  const api = rest(key);
  const as = { endUser };
  const done = async (wanted: number, path: string, body: object) => {
    const response = await api.post<Record<string, string>>(path, body, as);
    expect(response.status, JSON.stringify(response.body)).toBe(wanted);
    return response.body;
  };
  const { body: gate } = await api.get<{ required_version: string }>('/api/v1/consent', as);
  await done(201, '/api/v1/consent', { document_version: gate.required_version });
  const { job_id } = await done(200, '/api/v1/models/confluence_filter/runs?wait=60', { params: {} });
  const { screen_id } = await done(201, '/api/v1/screens', { name: 'own', rules: 'rsi_14 < 80' });
  await done(201, '/api/v1/watchlists', { name: 'own', tickers: ['universe:none', 'QAAA'].slice(1) });
  await done(202, '/api/v1/models/confluence_filter/backfills', { ...(await twoDays()), params: {} });
  const schedule = ['--name', 'own', '--key', key.id, '--model', 'confluence_filter', '--end-user', endUser];
  expect(await saring(own.fleet.stateDir, 'schedules', 'create', ...schedule)).toMatchObject({ code: 0 });
  return { jobId: job_id!, screenId: screen_id! };
}

async function twoDays(): Promise<{ from: string; to: string }> {
  const { body } = await new Rest(file.base_url, file.demo_key).get<{ date: string }>(
    '/api/v1/data/market-overview',
  );
  return { from: body.date, to: body.date };
}

/** Tables of all stores in which an id stands in any column, as `schema.table`. */
async function tablesWith(id: string): Promise<string[]> {
  const { rows: tables } = await postgres.query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await postgres.query(`select 1 from ${name} as one where one::text like $1 limit 1`, [
      `%${id}%`,
    ]);
    if (rows.length > 0) found.push(name);
  }
  return [...found, ...(await clickhouseTablesWith(id))].toSorted();
}

async function clickhouseTablesWith(id: string): Promise<string[]> {
  const found: string[] = [];
  for (const [database, at] of Object.entries(file.stores.clickhouse)) {
    const client = connectClickHouse(at);
    const tables = await clickhouseRows<{ held_in: string; columns: string[] }>(
      client,
      `SELECT concat(database, '.', table) AS held_in, groupArray(name) AS columns FROM system.columns
       WHERE database = {database:String} AND type LIKE '%String%'
         AND (database, table) IN (SELECT database, name FROM system.tables WHERE engine LIKE '%MergeTree')
       GROUP BY database, table`,
      { database },
    );
    for (const { held_in, columns } of tables) {
      const holds = columns.map((column) => `position(toString(${column}), {id:String}) > 0`).join(' OR ');
      const rows = await clickhouseRows(client, `SELECT 1 FROM ${held_in} WHERE ${holds} LIMIT 1`, { id });
      if (rows.length > 0) found.push(held_in);
    }
    await client.close();
  }
  return found;
}

async function exported(key: string, endUser: string): Promise<Record<string, Record<string, unknown>[]>> {
  const { code, stdout, stderr } = await endUsers('export', key, endUser);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as Record<string, Record<string, unknown>[]>;
}

const countsOf = (document: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(document).flatMap(([kind, items]) => (Array.isArray(items) ? [[kind, items.length]] : [])),
  );
const EVERYTHING = {
  consent_records: 1,
  schedules: 1,
  runs: 1,
  backfills: 1,
  backfill_days: 1,
  screens: 1,
  watchlists: 1,
  usage_events: 1,
  events: 1,
};

describe('an end user', () => {
  let left: { jobId: string; screenId: string };
  beforeAll(async () => {
    left = await useEverything(keys.one, LEAVER);
    await useEverything(keys.one, STAYER);
    await useEverything(keys.other, LEAVER);
  });

  test('is exported whole, to standard output and to a file that only the operator reads', async () => {
    await expect.poll(async () => countsOf(await exported(keys.one.id, LEAVER))).toEqual(EVERYTHING);
    const document = await exported(keys.one.id, LEAVER);
    expect(document).toMatchObject({ api_key_id: keys.one.id, end_user: LEAVER });
    expect(document['runs']).toMatchObject([
      { job_id: left.jobId, result: { target_date: expect.any(String) as string } },
    ]);
    expect(document['screens']).toMatchObject([{ screen_id: left.screenId, versions: [{ version: 1 }] }]);
    const out = path.join(folder, 'leaver.json');
    expect(await endUsers('export', keys.one.id, LEAVER, '--out', out)).toMatchObject({
      code: 0,
      stdout: '',
    });
    expect(countsOf(JSON.parse(await readFile(out, 'utf8')) as object as Record<string, unknown>)).toEqual(
      EVERYTHING,
    );
    expect((await stat(out)).mode & 0o077).toBe(0);
    expect(await endUsers('export', keys.one.id, LEAVER, '--out', out)).toMatchObject({ code: 2 });
  });

  test('of every key is in one document', async () => {
    const { runs } = await exported('all', LEAVER);
    expect(runs!.map(({ api_key_id }) => api_key_id).toSorted()).toEqual(
      [keys.one.id, keys.other.id].toSorted(),
    );
  });

  test('is erased only with consent', async () => {
    const { code, stderr } = await endUsers('erase', keys.one.id, LEAVER);
    expect([code, stderr]).toEqual([1, expect.stringContaining('add --yes')]);
    expect(await endUsers('erase', keys.one.id, 'not/an/id', '--yes')).toMatchObject({ code: 2 });
  });

  test('is erased while a job waits, after a kill half way, with counts and what is kept', async () => {
    const { pids } = await own.fleet.file();
    const worker = pids['model-worker-1']!;
    signal(worker, 'SIGSTOP');
    try {
      const path = '/api/v1/models/confluence_filter/runs';
      const { body } = await rest(keys.one).post<JobBody>(path, { params: {} }, { endUser: LEAVER });
      const words = ['end-users', 'erase', keys.one.id, LEAVER, '--yes'];
      const killed = startCli(words, { env: { STATE_DIR: own.fleet.stateDir } });
      await expect
        .poll(
          async () =>
            (await rest(keys.one).get(`/api/v1/screens/${left.screenId}`, { endUser: LEAVER })).status,
        )
        .toBe(404);
      killed.child.kill('SIGKILL');
      await killed.answer;
      const { kept, pending } = await eraseOf(keys.one.id, LEAVER);
      expect([kept.map(({ kind, count }) => [kind, count]), pending]).toEqual([
        expect.arrayContaining([
          ['consent_records', 1],
          ['usage_events', 2],
        ]) as unknown,
        0,
      ]);
      for (const jobId of [left.jobId, body.job_id])
        expect((await rest(keys.one).get(`/api/v1/jobs/${jobId}`)).status).toBe(404);
    } finally {
      thaw([worker]);
    }
  });

  test('of another key stays, and once it is erased of all keys is only where the contract keeps it', async () => {
    await expect.poll(async () => countsOf(await exported(keys.other.id, LEAVER))).toEqual(EVERYTHING);
    const { erased } = await eraseOf('all', LEAVER);
    expect(erased).toEqual({ schedules: 1, screens: 1, watchlists: 1, runs: 1, backfills: 1, events: 1 });
    expect(await tablesWith(LEAVER)).toEqual([
      'consent.consent_record',
      'consent.end_user_erasure',
      'usage.event',
    ]);
    expect(countsOf(await exported(keys.one.id, LEAVER))).toEqual({ consent_records: 1, usage_events: 2 });
  });

  test('can be erased again, which finds nothing new', async () => {
    expect(await eraseOf(keys.one.id, LEAVER)).toMatchObject({ erased: {}, pending: 0 });
    const unknown = await endUsers('erase', keys.one.id, 'never-seen', '--yes');
    expect(unknown).toMatchObject({ code: 0, stdout: 'Nothing is stored about never-seen.\n' });
  });

  test('leaves everybody else of the key untouched', async () => {
    expect(countsOf(await exported(keys.one.id, STAYER))).toEqual(EVERYTHING);
    const { body } = await rest(keys.one).get('/api/v1/consent', { endUser: STAYER });
    expect(body).toMatchObject({ accepted: true });
  });

  test('starts afresh: the gate is closed until it accepts again', async () => {
    const api = rest(keys.one);
    const as = { endUser: LEAVER };
    const gate = async () => (await api.get<{ required_version: string }>('/api/v1/consent', as)).body;
    const closed = await gate();
    expect(closed).toMatchObject({ accepted: false, accepted_version: null, accepted_at: null });
    const again = await api.post('/api/v1/consent', { document_version: closed.required_version }, as);
    expect(again.status).toBe(201);
    expect(await gate()).toMatchObject({ accepted: true });
    const { body: job } = await api.post<JobBody>(
      '/api/v1/models/confluence_filter/runs',
      { params: {} },
      as,
    );
    expect(await pollUntilFinal(api, job.job_id)).toMatchObject({ status: 'succeeded', end_user: LEAVER });
    expect((await api.get<{ count: number }>('/api/v1/screens', as)).body.count).toBe(0);
  });
});
