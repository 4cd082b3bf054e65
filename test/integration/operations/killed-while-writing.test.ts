import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startGatewayUnderTest, type GatewayUnderTest } from '#gateway/testing/gateway-under-test.ts';
import { startFakes, type Fakes } from '#gateway/testing/fake-services.ts';
import { freePort } from '#local/state/ports.ts';
import { PrivateServer } from '#support/servers/private-server.ts';
import { errorCode, Rest, type RestResponse } from '#support/rest/rest.ts';
import { ownServers } from '#support/servers/servers.ts';
import { serveDays, type ServedDays } from '#support/services/served-days.ts';
import { startService, type ServiceProcess } from '#support/processes/service-process.ts';

/** The same pause as the supervisor of a fleet. */
const RESTART_PAUSE_MS = 250;
/** Long, because a busy machine starts a process slowly. The test is about answers to clients, not about speed. */
const DEADLINE_MS = 40_000;
const RUNS = '/api/v1/models/confluence_filter/runs';

/** A service that restarts on its port after it is killed. */
class RestartedService {
  readonly address: string;
  readonly #start: () => Promise<ServiceProcess>;
  #starting: Promise<ServiceProcess>;

  static async start(name: string, env: Record<string, string>): Promise<RestartedService> {
    const port = await freePort();
    const service = new RestartedService(port, () => startService(name, { ...env, GRPC_PORT: String(port) }));
    await service.ready();
    return service;
  }

  private constructor(port: number, start: () => Promise<ServiceProcess>) {
    this.address = `127.0.0.1:${port}`;
    this.#start = start;
    this.#starting = start();
  }

  /** Resolves when the service is ready. */
  ready(): Promise<ServiceProcess> {
    return this.#starting;
  }

  /** Call when the service is ready. Resolves when the process has ended. */
  async kill9(): Promise<void> {
    await (await this.#starting).kill('SIGKILL');
    this.#starting = sleep(RESTART_PAUSE_MS).then(() => this.#start());
  }

  async stop(): Promise<void> {
    await (await this.#starting).kill('SIGKILL');
  }
}

const servers = ownServers();
let nats: PrivateServer;
let market: ServedDays;
let admin: pg.Client;
let models: RestartedService;
let consent: RestartedService;
let fakes: Fakes;
let gateway: GatewayUnderTest;
let rest: Rest;
let document_version: string;
let endUsers = 0;

beforeAll(async () => {
  nats = await PrivateServer.nats();
  market = await serveDays(['2024-06-27', '2024-06-28']);
  const databases = { DATABASE_URL: servers.databaseUrl };
  [models, consent] = await Promise.all([
    RestartedService.start('models', {
      ...databases,
      NATS_URL: nats.url,
      MARKET_DATA_ADDRESS: market.address,
      USAGE_ADDRESS: '127.0.0.1:1',
      MARKET_DATA_TOKEN: 'a-market-data-that-asks-for-none',
      USAGE_TOKEN: 'no-usage-service-in-this-test',
      RECORD_SECRET: 'record-secret-of-a-test',
      OPERATOR_TOKEN: 'operator-token-of-a-test',
    }),
    RestartedService.start('consent', databases),
  ]);
  admin = new pg.Client(servers.databaseUrl);
  await admin.connect();
  fakes = await startFakes();
  gateway = await startGatewayUnderTest(fakes.address, undefined, {
    MODELS_ADDRESS: models.address,
    CONSENT_ADDRESS: consent.address,
    DOWNSTREAM_TIMEOUT_MS: DEADLINE_MS,
  });
  rest = new Rest(gateway.baseUrl, 'all-scopes');
  const document = await rest.get<{ version: string }>('/api/v1/consent/documents/fair_disclaimer');
  document_version = document.body.version;
});
afterAll(async () => {
  await gateway?.stop();
  await fakes?.stop();
  await market?.stop();
  await Promise.all([models?.stop(), consent?.stop()]);
  await admin?.end();
  await nats?.remove();
});

const count = async (sql: string, ...values: string[]) =>
  (await admin.query<{ count: number }>(`select count(*)::int as count ${sql}`, values)).rows[0]!.count;
const runsOf = (endUser: string) => count('from models.run where end_user = $1', endUser);
const recordsOf = (endUser: string) => count('from consent.consent_record where end_user = $1', endUser);
const waitingForLocks = () => count('from pg_locks where not granted');
const busy = () => count(`from pg_stat_activity where state <> 'idle' and pid <> pg_backend_pid()`);

async function until(reached: () => Promise<boolean>): Promise<void> {
  while (!(await reached())) await sleep(2);
}

/** Locks the table during the work, so that rows are written only after the lock is released. */
async function whileWritesWait(table: string, work: () => Promise<void>): Promise<void> {
  await admin.query(`begin; lock table ${table} in exclusive mode`);
  try {
    await work();
  } finally {
    await admin.query('commit');
  }
}

interface Blow {
  /** Resolves at the moment of the kill. */
  moment: (endUser: string) => Promise<void>;
  /** Whether a lock delays the write until after the kill. */
  holdsUp?: boolean;
}

const BLOWS_IN_TIME = [10, 60, 200, 500].map((delayMs): [string, Blow] => [
  `${delayMs} ms after the request`,
  { moment: () => sleep(delayMs) },
]);

/** The outcome of a request whose service was killed, after recovery: the client's answer and the number of rows. */
async function outcomeOf(
  { moment, holdsUp = false }: Blow,
  { service, table, send, rowsOf }: Writing,
): Promise<{ answer: RestResponse; rows: number }> {
  const endUser = `user-${++endUsers}`;
  await service().ready();
  let answering!: Promise<RestResponse>;
  const strike = async () => {
    answering = send(endUser);
    // If the request is already answered, its moment will never come.
    await Promise.race([moment(endUser), answering]);
    await service().kill9();
  };
  await (holdsUp ? whileWritesWait(table, strike) : strike());
  const response = await answering;
  await until(async () => (await busy()) === 0);
  return { answer: response, rows: await rowsOf(endUser) };
}

interface Writing {
  service: () => RestartedService;
  table: string;
  send: (endUser: string) => Promise<RestResponse>;
  rowsOf: (endUser: string) => Promise<number>;
}

describe('NATS frozen and models killed', () => {
  // The request for a run is sent, and hangs, only if it is the run's turn among those of its key.
  beforeEach(() =>
    admin.query(`update models.run set status = 'failed', finished_at = now() where status = 'queued'`),
  );

  const writing: Writing = {
    service: () => models,
    table: 'models.run',
    send: (endUser) => rest.post(RUNS, {}, { endUser }),
    rowsOf: runsOf,
  };

  test.each<[string, Blow]>([
    [
      'right after the row was written',
      { moment: (endUser) => until(async () => (await runsOf(endUser)) > 0) },
    ],
    [
      'while the row waits to be written',
      { moment: () => until(async () => (await waitingForLocks()) > 0), holdsUp: true },
    ],
    ...BLOWS_IN_TIME,
  ])('%s: the client gets 202, and exactly one run exists', async (_, blow) => {
    await models.ready();
    await nats.freeze();
    try {
      const { answer: response, rows } = await outcomeOf(blow, writing);
      expect([response.status, errorCode(response), rows]).toEqual([202, undefined, 1]);
    } finally {
      nats.thaw();
    }
  });

  test('a client that repeats its Idempotency-Key gets the same single run', async () => {
    await models.ready();
    await nats.freeze();
    try {
      const headers = { 'idempotency-key': 'repeated' };
      const send = (endUser: string) => rest.post(RUNS, {}, { endUser, headers });
      const moment = (endUser: string) => until(async () => (await runsOf(endUser)) > 0);
      const { answer: response, rows } = await outcomeOf({ moment }, { ...writing, send });
      const again = await send(`user-${endUsers}`);
      expect([rows, response.headers.get('idempotent-replayed')]).toEqual([1, null]);
      expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([202, 'true']);
      expect(again.body['job_id']).toBe(response.body['job_id']);
    } finally {
      nats.thaw();
    }
  });
});

describe('consent killed', () => {
  // The gateway refuses requests immediately until it has reconnected to the killed service.
  beforeEach(async () => {
    await consent.ready();
    await until(async () => (await rest.get('/api/v1/consent/documents/fair_disclaimer')).status === 200);
  });

  const writing: Writing = {
    service: () => consent,
    table: 'consent.consent_record',
    send: (endUser) => rest.post('/api/v1/consent', { document_version }, { endUser }),
    rowsOf: recordsOf,
  };

  test.each<[string, Blow]>([
    [
      'right after the record was written',
      { moment: (endUser) => until(async () => (await recordsOf(endUser)) > 0) },
    ],
    [
      'while the record waits to be written',
      { moment: () => until(async () => (await waitingForLocks()) > 0), holdsUp: true },
    ],
    ...BLOWS_IN_TIME,
  ])('%s: the client gets 201 and exactly one record exists, or 503 and none', async (_, blow) => {
    const { answer: response, rows } = await outcomeOf(blow, writing);
    if (response.status !== 201)
      expect([response.status, errorCode(response)]).toEqual([503, 'consent_write_failed']);
    expect(rows).toBe(response.status === 201 ? 1 : 0);
  });
});

test('a write refused at its deadline never happens later: the client gets 503 and no run exists', async () => {
  const hasty = await startGatewayUnderTest(fakes.address, undefined, {
    MODELS_ADDRESS: models.address,
    CONSENT_ADDRESS: consent.address,
    DOWNSTREAM_TIMEOUT_MS: 2_500,
  });
  await models.ready();
  let answering!: Promise<RestResponse>;
  await whileWritesWait('models.run', async () => {
    answering = new Rest(hasty.baseUrl, 'all-scopes').post(RUNS, {}, { endUser: 'late' });
    await until(async () => (await waitingForLocks()) > 0);
    await sleep(7_000);
  });
  const response = await answering;
  expect([response.status, errorCode(response)]).toEqual([503, 'model_unavailable']);
  await until(async () => (await busy()) === 0);
  expect(await runsOf('late')).toBe(0);
  await hasty.stop();
});
