import { PostgresQueryCompiler, type Kysely, type KyselyPlugin } from 'kysely';
import { afterAll, beforeAll } from 'vitest';
import { randomId } from '#foundation/ids.ts';
import { createLogger } from '#platform/operations/logger.ts';
import { openPostgres } from '#platform/postgres/open-postgres.ts';
import type { ApiKeys, KeyWithSecret } from '#services/keys/api-keys.ts';
import type { Authentication } from '#services/keys/authentication.ts';
import { createKeys } from '#services/keys/create-keys.ts';
import type { ExpiryNotices } from '#services/keys/expiry-notices.ts';
import type { LastUses } from '#services/keys/last-uses.ts';
import type { Sessions } from '#services/keys/sessions.ts';
import type { KeyStore } from '#services/keys/store/key-store.ts';
import { migrations } from '#services/keys/store/migrations/index.ts';
import type { KeysTables } from '#services/keys/store/tables.ts';
import { ownServers } from '../servers/servers.ts';

const log = createLogger('test', 'silent');

const KEY_PEPPER = 'pepper-of-this-test-file';
export const TESTER = { actor: 'tester', request_id: 'req_test' };

function reportStatements(report: (statement: string) => void): KyselyPlugin {
  const compiler = new PostgresQueryCompiler();
  return {
    transformQuery: ({ node, queryId }) => {
      report(compiler.compileQuery(node, queryId).sql);
      return node;
    },
    transformResult: async ({ result }) => result,
  };
}

/** The logic of the keys service on its own PostgreSQL, with a clock that only the test moves. */
export class TestKeys {
  database!: Kysely<KeysTables>;
  store!: KeyStore;
  keys!: ApiKeys;
  authentication!: Authentication;
  sessions!: Sessions;
  lastUses!: LastUses;
  lastUsesOfSessions!: LastUses;
  notices!: ExpiryNotices;
  nowMs = Date.parse('2026-11-20T03:00:00Z');
  /** Every statement since the test last cleared the list. */
  readonly statements: string[] = [];

  async start(url: string): Promise<void> {
    const database = await openPostgres<KeysTables>({ url, schema: 'keys', migrations, log });
    this.database = database.withPlugin(
      reportStatements((statement) => void this.statements.push(statement)),
    );
    const parts = createKeys({
      database: this.database,
      peppers: [KEY_PEPPER],
      defaultRateLimit: 60,
      auditRetentionDays: 0,
      checksLastMs: 600_000,
      announceChange: () => {},
      clock: () => new Date(this.nowMs),
      newId: randomId,
      log,
    });
    Object.assign(this, parts);
  }

  create(): Promise<KeyWithSecret> {
    return this.keys.create({ name: 'test', scopes: ['data:read'], labels: {} }, TESTER);
  }

  /** The id of the key that a secret opens, or the code of the refusal. */
  async opened(secret: string): Promise<string> {
    return this.authentication.authenticate(secret).then(
      ({ key: { id, disabled_at } }) => (disabled_at ? `${id} disabled` : id),
      ({ code }: { code?: string }) => code ?? 'crash',
    );
  }
}

/** Gives a test file its own keys. Call at the top level of the file. */
export function testKeys(): TestKeys & { databaseUrl: () => string } {
  const servers = ownServers();
  const own = Object.assign(new TestKeys(), { databaseUrl: () => servers.databaseUrl });
  beforeAll(() => own.start(servers.databaseUrl));
  afterAll(async () => {
    await own.lastUses?.settled();
    await own.lastUsesOfSessions?.settled();
    await own.database?.destroy();
  });
  return own;
}
