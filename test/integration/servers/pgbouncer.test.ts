import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '#local/state/ports.ts';
import type { RunningServer } from '#local/servers/embedded-server.ts';
import { prepareDatabase } from '#postgres/prepare-database.ts';
import { DATABASE_SERVICES, roleOf, type DatabaseService } from '#postgres/roles.ts';
import { ConsentServiceService } from '#proto/saring/consent/v1/consent.ts';
import type { ServiceError } from '#foundation/errors/service-error.ts';
import { clientOf, identityOf, startService } from '#support/processes/service-process.ts';
import { hasPgbouncer, startPgbouncer } from '#support/servers/pgbouncer.ts';
import { secretsBy } from '#support/servers/private-server.ts';
import { ownServers } from '#support/servers/servers.ts';
import { TestKeys } from '#support/services/test-keys.ts';
import { TestRuns } from '#support/services/test-runs.ts';
import { TestScheduler } from '#support/services/test-scheduler.ts';
import { needing } from '#support/needing.ts';

const servers = ownServers();
const PASSWORDS = secretsBy(DATABASE_SERVICES);
/** Fewer connections than callers in a test, so that their transactions share each connection. */
const POOL_SIZE = 2;
const CALLERS = 20;

/** Each service behind a pooler in transaction mode, where no session lasts longer than a transaction. */
describe('through PgBouncer in transaction mode', needing("Debian's pgbouncer", hasPgbouncer), () => {
  let dir: string;
  let pooler: RunningServer;
  beforeAll(async () => {
    const { port } = new URL(servers.databaseUrl);
    await prepareDatabase(servers.databaseUrl, PASSWORDS);
    dir = await mkdtemp(path.join(tmpdir(), 'saring-pgbouncer-'));
    pooler = await startPgbouncer({
      dir,
      port: await freePort(),
      server: { port: Number(port), database: 'saring' },
      logins: Object.fromEntries(DATABASE_SERVICES.map((service) => [roleOf(service), PASSWORDS[service]])),
      poolSize: POOL_SIZE,
    });
  });
  afterAll(async () => {
    await pooler?.stop();
    await rm(dir, { recursive: true, force: true });
  });

  const urlOf = (service: DatabaseService) => {
    const url = new URL(pooler.url);
    [url.username, url.password] = [roleOf(service), PASSWORDS[service]];
    return url.href;
  };
  const atOnce = <T>(work: (index: number) => Promise<T>) =>
    Promise.all(Array.from({ length: CALLERS }, (_, index) => work(index)));

  test('every service finds its own tables, and the server enforces its statement timeout', async () => {
    for (const service of DATABASE_SERVICES) {
      const client = new pg.Client(urlOf(service));
      await client.connect();
      const shown = await client.query<{ path: string; limit: string }>(
        "select current_setting('search_path') as path, current_setting('statement_timeout') as limit",
      );
      await client.end();
      expect(shown.rows).toEqual([{ path: service, limit: '5s' }]);
    }
  });

  test('keys created at once all authenticate', async () => {
    const own = new TestKeys();
    await own.start(urlOf('keys'));
    try {
      const made = await atOnce(() => own.create());
      const opened = await Promise.all(made.map(({ secret }) => own.opened(secret)));
      expect(opened).toEqual(made.map(({ key }) => key.id));
    } finally {
      await own.lastUses.settled();
      await own.database.destroy();
    }
  });

  test('runs submitted at once are all accepted, one per idempotency key', async () => {
    const own = new TestRuns({});
    await own.start(urlOf('models'));
    try {
      const each = await atOnce(() => own.submit());
      expect(new Set(each.map(({ job_id }) => job_id)).size).toBe(CALLERS);
      const [runs, otherRuns] = [own.runs, own.otherRuns];
      const repeated = await atOnce((index) =>
        own.submitTo(index % 2 ? runs : otherRuns, { idempotency_key: 'once' }),
      );
      expect(new Set(repeated.map(({ run }) => run.job_id)).size).toBe(1);
    } finally {
      await own.stop();
    }
  });

  test('consents given at once are all recorded', async () => {
    const consent = await startService('consent', { DATABASE_URL: urlOf('consent') });
    const client = clientOf(ConsentServiceService, consent.address, { identity: identityOf('gateway') });
    const call = { requestId: 'req_test' };
    const who = (index: number) => ({
      api_key_id: 'key_a',
      end_user: `user-${index}`,
      document_id: 'fair_disclaimer',
    });
    try {
      const { required_version } = await client.checkConsent(who(0), call);
      // On a busy machine twenty writes may take longer than the service lets one wait. A client that is told so repeats its write.
      const give = (index: number) =>
        client
          .recordConsent({ ...who(index), document_version: required_version, accepted: true }, call)
          .then(
            () => 'recorded',
            (error: ServiceError) => error.code,
          );
      await atOnce((index) => expect.poll(() => give(index)).not.toBe('consent_write_failed'));
      const states = await atOnce((index) => client.checkConsent(who(index), call));
      expect(states.every(({ accepted }) => accepted)).toBe(true);
    } finally {
      client.close();
      await consent.kill();
    }
  });

  test('two schedulers fire a schedule once', async () => {
    const own = new TestScheduler({ databaseUrl: urlOf('scheduler') });
    own.others.newestDay = '2026-11-19';
    await own.others.start();
    await own.start(2);
    try {
      const schedule = await own.create();
      own.others.newestDay = '2026-11-20';
      await own.untilFired(schedule, [['2026-11-20', 'accepted']]);
      expect(own.runsOf(schedule)).toEqual(['2026-11-20']);
    } finally {
      await own.stop();
      await own.others.stop();
    }
  });
});
