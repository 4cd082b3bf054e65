import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { settingOf } from '#shared/config/settings.ts';
import { loadSecrets } from '#local/state/secrets.ts';
import { connectClickHouse } from '#shared/clickhouse/clickhouse.ts';
import { settle } from '../support/fleets/broken-fleet.ts';
import { Fleet, SMALL_MARKET } from '../support/fleets/fleet.ts';
import { issueKey } from '../support/fleets/issued-keys.ts';
import type { JobBody } from '../support/fleets/jobs.ts';
import { errorCode, Rest, type RestAnswer } from '../support/fleets/rest.ts';
import { startSecondGateway, type SecondGateway } from '../support/fleets/second-gateway.ts';
import { copySources } from '../support/fleets/source-copy.ts';

const PAUSE_MS = 50;
const MAX_OUTAGE_MS = 5_000;
/** How long callers may wait, as a multiple of the time that a process is away: they also have to reconnect. */
const FOUND_AGAIN = 1.5;
const BACK_WITHIN = { timeout: 30_000, interval: 50 };
const UPGRADE_MS = 240_000;
const SCOPES = 'models:read,models:run,data:read,usage:read';

/** Adds a migration to each schema, as the next version would, that the current version does not know. */
const NEXT = '999_of_the_next_version';
const COLUMN = 'of_the_next_version';
const POSTGRES_TABLES = {
  keys: 'api_key',
  models: 'run',
  consent: 'consent_record',
  scheduler: 'schedule',
} as const;
const CLICKHOUSE_TABLES = { 'market-data': 'market.dataset', usage: 'usage.event' } as const;

/** Sends one kind of request repeatedly, to the first gateway that accepts a connection, as a load balancer does. */
class Lane {
  readonly unexpected: string[] = [];
  requests = 0;
  longestOutageMs = 0;
  readonly #ask: (rest: Rest) => Promise<RestAnswer<unknown>>;
  readonly #gateways: Rest[];
  #awaySince: number | undefined;
  #isOver = false;
  readonly #finished: Promise<void>;

  constructor(gateways: Rest[], ask: (rest: Rest) => Promise<RestAnswer<unknown>>) {
    [this.#gateways, this.#ask] = [gateways, ask];
    this.#finished = this.#askAll();
  }

  get isAway(): boolean {
    return this.#awaySince !== undefined;
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#finished;
  }

  async #askAll(): Promise<void> {
    while (!this.#isOver || this.#awaySince !== undefined) {
      const answer = await this.#answer();
      const now = performance.now();
      this.requests++;
      if (answer?.status === 503) this.#awaySince ??= now;
      else {
        if (this.#awaySince !== undefined)
          this.longestOutageMs = Math.max(this.longestOutageMs, now - this.#awaySince);
        this.#awaySince = undefined;
      }
      if (!answer) this.unexpected.push('no gateway took the connection');
      else if (answer.status >= 300 && answer.status !== 503)
        this.unexpected.push(`${answer.status} ${errorCode(answer as RestAnswer)}`);
      await sleep(PAUSE_MS);
    }
  }

  async #answer(): Promise<RestAnswer<unknown> | undefined> {
    for (const gateway of this.#gateways) {
      try {
        return await this.#ask(gateway);
      } catch {
        // This gateway is being replaced.
      }
    }
    return undefined;
  }
}

let sources: string;
let fleet: Fleet;
let second: SecondGateway;
let gateways: Rest[];
beforeAll(async () => {
  sources = await copySources();
  fleet = await Fleet.start(SMALL_MARKET, sources);
  const file = await fleet.file();
  second = await startSecondGateway(file);
  const { key } = await issueKey(fleet.stateDir, SCOPES);
  gateways = [file.base_url, second.baseUrl].map((url) => new Rest(url, key));
});
afterAll(async () => {
  await second?.stop();
  await fleet?.stop();
  await rm(sources, { recursive: true, force: true });
});

/** Replaces the programs by those of the next version. */
async function installNextVersion(): Promise<void> {
  for (const [service, table] of Object.entries(POSTGRES_TABLES)) {
    const up = `{ up: (db) => db.schema.alterTable('${table}').addColumn('${COLUMN}', 'text').execute() }`;
    await addMigration(service, `{ ...before, '${NEXT}': ${up} }`);
  }
  for (const [service, table] of Object.entries(CLICKHOUSE_TABLES)) {
    const statement = `ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS ${COLUMN} String`;
    await addMigration(service, `[...before, { name: '${NEXT}', statements: ['${statement}'] }]`);
  }
}

async function addMigration(service: string, migrations: string): Promise<void> {
  const folder = path.join(sources, 'services', service, 'store/migrations');
  await rename(path.join(folder, 'index.ts'), path.join(folder, 'before.ts'));
  const text = `import { migrations as before } from './before.ts';\nexport const migrations = ${migrations};\n`;
  await writeFile(path.join(folder, 'index.ts'), text);
}

/** Migrates as the documents say, while the current version serves. */
async function migratePostgres(): Promise<void> {
  const { postgres_role_passwords } = loadSecrets(path.join(fleet.stateDir, 'secrets.json'));
  const env: NodeJS.ProcessEnv = { ...process.env, DATABASE_URL: await fleet.superuserUrl() };
  for (const [service, password] of Object.entries(postgres_role_passwords))
    env[settingOf(service, 'PASSWORD')] = password;
  await promisify(execFile)(process.execPath, ['deploy/postgres/migrate.ts'], { cwd: sources, env });
}

/** Replaces a process. Returns how long it was away. */
async function replace(name: string): Promise<number> {
  const before = (await fleet.file()).pids[name]!;
  const timesBack = () => fleet.output.split(' is back.').length;
  const backBefore = timesBack();
  const stoppedAt = performance.now();
  process.kill(before, 'SIGTERM');
  await expect.poll(timesBack, BACK_WITHIN).toBe(backBefore + 1);
  return performance.now() - stoppedAt;
}

async function migrationsOf(): Promise<Record<string, string>> {
  const { stores } = await fleet.file();
  const newest: Record<string, string> = {};
  const postgres = new pg.Client({ connectionString: await fleet.superuserUrl() });
  await postgres.connect();
  for (const schema of Object.keys(POSTGRES_TABLES)) {
    const query = `select max(name) as name from ${schema}.kysely_migration`;
    newest[schema] = (await postgres.query<{ name: string }>(query)).rows[0]!.name;
  }
  await postgres.end();
  for (const [database, at] of Object.entries(stores.clickhouse)) {
    const client = connectClickHouse(at);
    const query = `SELECT max(name) AS name FROM ${database}.schema_migration`;
    const rows = await (await client.query({ query, format: 'JSONEachRow' })).json<{ name: string }>();
    newest[database] = rows[0]!.name;
    await client.close();
  }
  return newest;
}

test(
  'a fleet is upgraded to new schemas under load, with brief 503s and no other failed request',
  async () => {
    const { version } = (
      await gateways[0]!.get<{ version: string }>('/api/v1/consent/documents/fair_disclaimer')
    ).body;
    const jobs: string[] = [];
    const as = () => ({ endUser: 'upgrader', headers: { 'idempotency-key': randomUUID() } });
    const lanes = {
      runs: new Lane(gateways, async (rest) => {
        const answer = await rest.post<JobBody>('/api/v1/models/confluence_filter/runs', {}, as());
        if (answer.status === 202) jobs.push(answer.body.job_id);
        return answer;
      }),
      consents: new Lane(gateways, (rest) =>
        rest.post('/api/v1/consent', { document_version: version }, as()),
      ),
      quotes: new Lane(gateways, (rest) => rest.get('/api/v1/data/market-overview')),
      usage: new Lane(gateways, (rest) => rest.get('/api/v1/usage/events?limit=5')),
    };
    await sleep(1_000);
    await installNextVersion();
    await migratePostgres();
    const { pids } = await fleet.file();
    const embedded = ['nats', 'postgres', 'clickhouse'];
    const awayMs: number[] = [];
    for (const name of Object.keys(pids).filter((one) => !embedded.includes(one))) {
      awayMs.push(await replace(name));
      // Replace the next process only after callers have reconnected to this one.
      await expect.poll(() => Object.values(lanes).some((lane) => lane.isAway), BACK_WITHIN).toBe(false);
    }
    await sleep(1_000);
    await Promise.all(Object.values(lanes).map((lane) => lane.stop()));

    const seen = Object.entries(lanes).map(([kind, lane]) => [kind, lane.unexpected]);
    expect(Object.fromEntries(seen)).toEqual({ runs: [], consents: [], quotes: [], usage: [] });
    // A busy machine starts processes late, which is no fault of the upgrade.
    const mostMs = Math.max(MAX_OUTAGE_MS, FOUND_AGAIN * Math.max(...awayMs));
    for (const [kind, { longestOutageMs }] of Object.entries(lanes))
      expect(longestOutageMs, kind).toBeLessThan(mostMs);
    expect(Math.min(...Object.values(lanes).map(({ requests }) => requests))).toBeGreaterThan(20);
    expect(new Set(Object.values(await migrationsOf()))).toEqual(new Set([NEXT]));
    const states = await settle(gateways[0]!, jobs);
    expect([...states.values()].filter((state) => state !== 'succeeded')).toEqual([]);
  },
  UPGRADE_MS,
);
