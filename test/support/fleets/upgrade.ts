import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { loadSecrets } from '#local/state/secrets.ts';
import { connectClickHouse } from '#platform/clickhouse/clickhouse.ts';
import { settingOf } from '#platform/configuration/settings.ts';
import { settle } from './broken-fleet.ts';
import { byProcess, Fleet, SMALL_MARKET } from './fleet.ts';
import { issueKey } from './issued-keys.ts';
import type { JobBody } from '../rest/jobs.ts';
import { errorCode, Rest, type RestResponse } from '../rest/rest.ts';
import { startSecondGateway } from './second-gateway.ts';
import { buildCopy, copySources } from './source-copy.ts';

const PAUSE_MS = 50;
/** Generous, because a busy machine starts processes late. */
const BACK_WITHIN_MS = 120_000;

/** Adds a migration to each schema, as the next version would, that the current version does not know. */
export const NEXT = '999_of_the_next_version';
const COLUMN = 'of_the_next_version';
const POSTGRES_TABLES = {
  keys: 'api_key',
  models: 'run',
  consent: 'consent_record',
  scheduler: 'schedule',
  screens: 'screen',
  webhooks: 'webhook',
} as const;
const CLICKHOUSE_TABLES = { 'market-data': 'market.dataset', usage: 'usage.event' } as const;

/** Sends one kind of request repeatedly, to the first gateway that accepts a connection, as a load balancer does. */
class Lane {
  readonly unexpected: string[] = [];
  requests = 0;
  /** Whether the last answer was 503. */
  isUnavailable = false;
  readonly #ask: (rest: Rest) => Promise<RestResponse<unknown>>;
  readonly #gateways: Rest[];
  #isOver = false;
  readonly #finished: Promise<void>;

  constructor(gateways: Rest[], ask: (rest: Rest) => Promise<RestResponse<unknown>>) {
    [this.#gateways, this.#ask] = [gateways, ask];
    this.#finished = this.#askAll();
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#finished;
  }

  async #askAll(): Promise<void> {
    while (!this.#isOver || this.isUnavailable) {
      const response = await this.#answer();
      this.requests++;
      this.isUnavailable = response?.status === 503;
      if (!response) this.unexpected.push('no gateway took the connection');
      else if (response.status >= 300 && !this.isUnavailable)
        this.unexpected.push(`${response.status} ${errorCode(response as RestResponse)}`);
      await sleep(PAUSE_MS);
    }
  }

  async #answer(): Promise<RestResponse<unknown> | undefined> {
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

/** Upgrades a fleet of two gateways to new schemas under load: migrates, then replaces one process after another. */
export async function upgradeUnderLoad() {
  const sources = await copySources();
  const fleet = await Fleet.start(SMALL_MARKET, sources);
  const second = await startSecondGateway(await fleet.file());
  try {
    return await upgrade(fleet, sources, second.baseUrl);
  } finally {
    await second.stop();
    await fleet.stop();
    await rm(sources, { recursive: true, force: true });
  }
}

async function upgrade(fleet: Fleet, sources: string, secondUrl: string) {
  const { base_url, pids } = await fleet.file();
  const { key } = await issueKey(fleet.stateDir);
  const gateways = [base_url, secondUrl].map((url) => new Rest(url, key));
  const jobs: string[] = [];
  const lanes = await startLanes(gateways, jobs);
  await sleep(1_000);
  await installNextVersion(sources);
  await migratePostgres(fleet, sources);
  const embedded = ['nats', 'postgres', 'clickhouse'];
  for (const name of Object.keys(byProcess(pids)).filter((one) => !embedded.includes(one))) {
    await replace(fleet, name);
    // Replace the next process only after callers have reconnected to this one.
    await until(`callers of ${name}`, () => !Object.values(lanes).some((lane) => lane.isUnavailable));
  }
  await sleep(1_000);
  await Promise.all(Object.values(lanes).map((lane) => lane.stop()));
  const each = <T>(of: (lane: Lane) => T) =>
    Object.fromEntries(Object.entries(lanes).map(([kind, lane]) => [kind, of(lane)]));
  return {
    /** Answers other than success and 503, and connections that no gateway took, by kind of request. */
    unexpected: each((lane) => lane.unexpected),
    requests: each((lane) => lane.requests),
    /** The newest migration of each schema. */
    migrations: await migrationsOf(fleet),
    /** The final state of each run that was accepted meanwhile. */
    states: [...(await settle(gateways[0]!, jobs)).values()],
  };
}

async function startLanes(gateways: Rest[], jobs: string[]) {
  const { body } = await gateways[0]!.get<{ version: string }>('/api/v1/consent/documents/fair_disclaimer');
  const as = () => ({ endUser: 'upgrader', headers: { 'idempotency-key': randomUUID() } });
  return {
    runs: new Lane(gateways, async (rest) => {
      const response = await rest.post<JobBody>('/api/v1/models/confluence_filter/runs', {}, as());
      if (response.status === 202) jobs.push(response.body.job_id);
      return response;
    }),
    consents: new Lane(gateways, (rest) =>
      rest.post('/api/v1/consent', { document_version: body.version }, as()),
    ),
    quotes: new Lane(gateways, (rest) => rest.get('/api/v1/data/market-overview')),
    usage: new Lane(gateways, (rest) => rest.get('/api/v1/usage/events?limit=5')),
  };
}

/** Replaces the programs by those of the next version. */
async function installNextVersion(sources: string): Promise<void> {
  for (const [service, table] of Object.entries(POSTGRES_TABLES)) {
    const up = `{ up: (db) => db.schema.alterTable('${table}').addColumn('${COLUMN}', 'text').execute() }`;
    await addMigration(sources, service, `{ ...before, '${NEXT}': ${up} }`);
  }
  for (const [service, table] of Object.entries(CLICKHOUSE_TABLES)) {
    const statement = `ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS ${COLUMN} String`;
    await addMigration(sources, service, `[...before, { name: '${NEXT}', statements: ['${statement}'] }]`);
  }
  await buildCopy(sources);
}

async function addMigration(sources: string, service: string, migrations: string): Promise<void> {
  const folder = path.join(sources, 'services', service, 'store/migrations');
  await rename(path.join(folder, 'index.ts'), path.join(folder, 'before.ts'));
  const text = `import { migrations as before } from './before.ts';\nexport const migrations = ${migrations};\n`;
  await writeFile(path.join(folder, 'index.ts'), text);
}

/** Migrates as the documents say, while the current version serves. */
async function migratePostgres(fleet: Fleet, sources: string): Promise<void> {
  const { postgres_role_passwords } = loadSecrets(path.join(fleet.stateDir, 'secrets.json'));
  const env: NodeJS.ProcessEnv = { ...process.env, DATABASE_URL: await fleet.superuserUrl() };
  for (const [service, password] of Object.entries(postgres_role_passwords))
    env[settingOf(service, 'PASSWORD')] = password;
  await promisify(execFile)(process.execPath, ['deploy/postgres/migrate.ts'], { cwd: sources, env });
}

/** Replaces a process and waits until it is back. */
async function replace(fleet: Fleet, name: string): Promise<void> {
  const before = byProcess((await fleet.file()).pids)[name]!;
  const timesBack = () => fleet.output.split(' is back.').length;
  const backBefore = timesBack();
  process.kill(before, 'SIGTERM');
  await until(name, () => timesBack() > backBefore);
}

async function until(what: string, isSo: () => boolean): Promise<void> {
  const giveUpAt = performance.now() + BACK_WITHIN_MS;
  while (!isSo()) {
    if (performance.now() > giveUpAt) throw new Error(`${what} did not come back`);
    await sleep(PAUSE_MS);
  }
}

async function migrationsOf(fleet: Fleet): Promise<Record<string, string>> {
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
