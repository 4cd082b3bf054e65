import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { startGatewayUnderTest, type GatewayUnderTest } from '#gateway/testing/gateway-under-test.ts';
import { startFakes, type Fakes } from '#gateway/testing/fake-services.ts';
import { freePort } from '#local/state/ports.ts';
import type { RunningServer } from '#local/servers/embedded-server.ts';
import { Rest } from '../rest/rest.ts';
import { HANGS_AFTER_MS } from '../hangs.ts';
import { startPostgres } from '../servers/stack.ts';
import { startService, type ServiceProcess } from '../processes/service-process.ts';

interface ConsentBody {
  required_version: string;
  accepted: boolean;
  accepted_version: string | null;
  consent_id: string;
}

const ADMIN = { user: 'fleet', password: 'fleet-of-a-test', database: 'saring' };
/** Owns the tables and has only the rights that follow from that. */
const OWNER = { user: 'consent_owner', password: 'owner-of-a-test' };
/** Much longer than the service needs, so that the service answers before the gateway's deadline. */
const LONG_DEADLINE_MS = 2 * HANGS_AFTER_MS;
/** For tests that wait for the gateway's deadline. */
const SHORT_DEADLINE_MS = 1_000;

/** The consent service on its own PostgreSQL, behind gateways with fakes for everything else. */
class TestConsent {
  postgres!: RunningServer;
  service!: ServiceProcess;
  /** A connection as a superuser. */
  admin!: pg.Client;
  rest!: Rest;
  /** Calls through the gateway with the short deadline. */
  hastyRest!: Rest;
  #dir!: string;
  #version!: string;
  #fakes!: Fakes;
  #gateways: GatewayUnderTest[] = [];

  async start(): Promise<void> {
    this.#dir = await mkdtemp(path.join(tmpdir(), 'saring-consent-'));
    this.postgres = await startPostgres({ ...ADMIN, dir: this.#dir, port: await freePort() });
    this.admin = new pg.Client(this.postgres.url);
    this.admin.on('error', () => {});
    await this.admin.connect();
    await this.admin.query(`create role ${OWNER.user} login password '${OWNER.password}'`);
    await this.admin.query(`grant create on database ${ADMIN.database} to ${OWNER.user}`);
    this.service = await startService('consent', { DATABASE_URL: this.ownerUrl });
    this.#fakes = await startFakes();
    this.rest = await this.#startGateway({});
    this.hastyRest = await this.#startGateway({ DOWNSTREAM_TIMEOUT_MS: SHORT_DEADLINE_MS });
    this.#version = (await this.check('nobody')).body.required_version;
  }

  get ownerUrl(): string {
    const url = new URL(this.postgres.url);
    [url.username, url.password] = [OWNER.user, OWNER.password];
    return url.href;
  }

  async #startGateway(own: { DOWNSTREAM_TIMEOUT_MS?: number }): Promise<Rest> {
    const settings = {
      DOWNSTREAM_TIMEOUT_MS: LONG_DEADLINE_MS,
      ...own,
      CONSENT_ADDRESS: this.service.address,
    };
    const gateway = await startGatewayUnderTest(this.#fakes.address, undefined, settings);
    this.#gateways.push(gateway);
    return new Rest(gateway.baseUrl, 'all-scopes');
  }

  check(endUser: string, rest = this.rest) {
    return rest.get<ConsentBody>('/api/v1/consent', { endUser });
  }

  /** Accepts the current version of the text. */
  accept(endUser: string, headers: Record<string, string> = {}, rest = this.rest) {
    const body = { document_version: this.#version };
    return rest.post<ConsentBody>('/api/v1/consent', body, { endUser, headers });
  }

  /** Waits until the service's connections are idle. Returns how many acceptances of an end user the database holds. */
  async recordsOf(endUser: string): Promise<number> {
    const busy = `select from pg_stat_activity where usename = '${OWNER.user}' and state <> 'idle'`;
    while ((await this.admin.query(busy)).rowCount !== 0);
    const counted = await this.admin.query<{ count: number }>(
      'select count(*)::int as count from consent.consent_record where end_user = $1',
      [endUser],
    );
    return counted.rows[0]!.count;
  }

  async stop(): Promise<void> {
    for (const gateway of this.#gateways) await gateway.stop();
    await this.#fakes?.stop();
    await this.service?.kill();
    await this.admin?.end().catch(() => {});
    await this.postgres?.stop();
    await rm(this.#dir, { recursive: true, force: true });
  }
}

/** Gives a test file a consent service of its own. Call at the top level of the file. */
export function testConsent(): TestConsent {
  const own = new TestConsent();
  beforeAll(() => own.start());
  afterAll(() => own.stop());
  return own;
}
