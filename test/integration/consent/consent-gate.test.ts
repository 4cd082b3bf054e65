import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { HANGS_AFTER_MS } from '#support/hangs.ts';
import { descendantsOf, freezeFamily, signal } from '#support/processes/signals.ts';
import { testConsent } from '#support/services/test-consent.ts';
import { errorCode, type RestResponse } from '#support/rest/rest.ts';

const own = testConsent();
/** After this time the service starts no write; a statement that waited for a lock until then is too late. */
const WRITE_BEGINS_WITHIN_MS = 1_500;
const UNCHECKED = '503 consent_unavailable';
const UNWRITTEN = '503 consent_write_failed';

const outcomeOf = (response: RestResponse<object>) =>
  `${response.status} ${errorCode(response as RestResponse) ?? 'ok'}`;
const keyed = (endUser: string) => ({ 'idempotency-key': `key-of-${endUser}` });

/** Sends a check and writes at the same time, by default with and without an idempotency key. Returns outcomes and duration. */
async function checkAndAccept(endUser: string, { rest = own.rest, headers = [{}, keyed(endUser)] } = {}) {
  const begunMs = performance.now();
  const [check, ...writes] = await Promise.all([
    own.check(endUser, rest),
    ...headers.map((each: Record<string, string>) => own.accept(endUser, each, rest)),
  ]);
  return { check, writes: writes.map(outcomeOf), tookMs: performance.now() - begunMs };
}

/** Checks the state after a fault: the gate is closed, no acceptance is recorded, and a new one works. */
async function expectStillClosed(endUser: string): Promise<void> {
  await expect.poll(async () => (await own.check(endUser)).status).toBe(200);
  expect(await own.recordsOf(endUser)).toBe(0);
  expect((await own.check(endUser)).body).toMatchObject({ accepted: false, accepted_version: null });
  expect(outcomeOf(await own.accept(endUser, keyed(endUser)))).toBe('201 ok');
  expect((await own.check(endUser)).body.accepted).toBe(true);
}

test('with PostgreSQL frozen, check and acceptance answer 503 in time, and nothing is written after the thaw', async () => {
  expect(outcomeOf(await own.accept('accepted-before'))).toBe('201 ok');
  const thaw = await freezeFamily(own.postgres.pid);
  try {
    const { check, writes, tookMs } = await checkAndAccept('frozen');
    expect([outcomeOf(check), ...writes]).toEqual([UNCHECKED, UNWRITTEN, UNWRITTEN]);
    expect(tookMs).toBeLessThan(HANGS_AFTER_MS);
  } finally {
    thaw();
  }
  await expectStillClosed('frozen');
});

test('with the table locked, check and acceptance answer 503 in time, and nothing is written after the unlock', async () => {
  await own.admin.query('begin; lock table consent.consent_record in access exclusive mode');
  try {
    const { check, writes, tookMs } = await checkAndAccept('locked');
    expect([outcomeOf(check), ...writes]).toEqual([UNCHECKED, UNWRITTEN, UNWRITTEN]);
    expect(tookMs).toBeLessThan(HANGS_AFTER_MS);
  } finally {
    await own.admin.query('rollback');
  }
  await expectStillClosed('locked');
});

test.each([
  ['plain', {}],
  ['keyed', keyed('too-late-keyed')],
])(
  'a lock that delays a %s write too long fails only the write, and nothing is written later',
  async (kind, headers) => {
    const endUser = `too-late-${kind}`;
    await own.admin.query('begin; lock table consent.consent_record in exclusive mode');
    const attempt = checkAndAccept(endUser, { headers: [headers] });
    await expect.poll(waitingForLocks).toBeGreaterThan(0);
    await sleep(WRITE_BEGINS_WITHIN_MS);
    await own.admin.query('rollback');
    const { check, writes } = await attempt;
    expect([outcomeOf(check), ...writes]).toEqual(['200 ok', UNWRITTEN]);
    expect(check.body.accepted).toBe(false);
    await expectStillClosed(endUser);
  },
);

test('on a read-only server the check tells the truth, and the acceptance fails without a write', async () => {
  await own.admin.query('alter role consent_owner set default_transaction_read_only = on');
  await hangUp();
  await expect.poll(async () => (await own.check('accepted-before')).body.accepted).toBe(true);
  const { check, writes } = await checkAndAccept('read-only');
  expect([outcomeOf(check), ...writes]).toEqual(['200 ok', UNWRITTEN, UNWRITTEN]);
  expect(check.body.accepted).toBe(false);
  await own.admin.query('alter role consent_owner reset default_transaction_read_only');
  await hangUp();
  await expectStillClosed('read-only');
});

test('without insert rights acceptances fail but checks work; without select rights checks fail too', async () => {
  await own.admin.query('revoke insert on consent.consent_record from consent_owner');
  const { check, writes } = await checkAndAccept('no-right');
  expect([outcomeOf(check), ...writes]).toEqual(['200 ok', UNWRITTEN, UNWRITTEN]);
  expect(check.body.accepted).toBe(false);
  await own.admin.query('revoke select on consent.consent_record from consent_owner');
  expect(outcomeOf(await own.check('accepted-before'))).toBe(UNCHECKED);
  await own.admin.query('grant select, insert on consent.consent_record to consent_owner');
  await expectStillClosed('no-right');
  expect(own.service.output()).toMatch(/permission denied for table consent_record/);
});

test('with the service frozen, both answer 503 at the gateway’s deadline, and nothing is written after the thaw', async () => {
  const thaw = await freezeFamily(own.service.pid);
  try {
    const { check, writes } = await checkAndAccept('service-frozen', { rest: own.hastyRest });
    expect([outcomeOf(check), ...writes]).toEqual([UNCHECKED, UNWRITTEN, UNWRITTEN]);
  } finally {
    thaw();
  }
  await expectStillClosed('service-frozen');
});

test('with PostgreSQL down, check and acceptance answer 503, but the document can be read', async () => {
  // With its backends: one that outlives the server may still commit what it has been sent.
  const family = [own.postgres.pid, ...(await descendantsOf(own.postgres.pid))];
  await freezeFamily(own.postgres.pid);
  for (const pid of family) signal(pid, 'SIGKILL');
  await own.postgres.exited;
  const { check, writes, tookMs } = await checkAndAccept('gone');
  expect([outcomeOf(check), ...writes]).toEqual([UNCHECKED, UNWRITTEN, UNWRITTEN]);
  expect(tookMs).toBeLessThan(HANGS_AFTER_MS);
  expect((await own.rest.get('/api/v1/consent/documents/fair_disclaimer')).status).toBe(200);
});

test('with the service down, every consent request answers 503', async () => {
  await own.service.kill('SIGKILL');
  const { check, writes, tookMs } = await checkAndAccept('service-gone');
  expect([outcomeOf(check), ...writes]).toEqual([UNCHECKED, UNWRITTEN, UNWRITTEN]);
  expect(tookMs).toBeLessThan(HANGS_AFTER_MS);
  const document = await own.rest.get('/api/v1/consent/documents/fair_disclaimer');
  expect(outcomeOf(document)).toBe(UNCHECKED);
});

/** Terminates the service's connections, so that new ones have the current settings of its role. */
async function hangUp(): Promise<void> {
  await own.admin.query(
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity where usename = 'consent_owner'`,
  );
}

async function waitingForLocks(): Promise<number | null> {
  return (await own.admin.query('select from pg_locks where not granted')).rowCount;
}
