import fc from 'fast-check';
import { sql, type Kysely } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RecordConsentRequest } from '#proto/saring/consent/v1/consent.ts';
import { randomId } from '#shared/ids.ts';
import { createLogger } from '#shared/logger.ts';
import { openPostgres } from '#shared/postgres/open-postgres.ts';
import type { Consents } from '#services/consent/consents.ts';
import { createConsent } from '#services/consent/create-consent.ts';
import { ConsentStore } from '#services/consent/store/consent-store.ts';
import { migrations } from '#services/consent/store/migrations/index.ts';
import type { ConsentTables } from '#services/consent/store/tables.ts';
import { documentOf } from '#services/consent/texts/document.ts';
import { Documents } from '#services/consent/texts/document.ts';
import { ownServers } from '#support/servers/servers.ts';
import { statementsBlocked, whileLocked } from '#support/servers/while-locked.ts';

const servers = ownServers();
const log = createLogger('test', 'silent');
const DAY_MS = 24 * 3_600_000;
const T0 = new Date('2026-11-20T03:00:00Z');
const STAYS = new AbortController().signal;
let database: Kysely<ConsentTables>;
let store: ConsentStore;
let now = T0;

beforeAll(async () => {
  database = await openPostgres({ url: servers.databaseUrl, schema: 'consent', migrations, log });
  store = new ConsentStore(database);
});
afterAll(() => database.destroy());

const documentReading = (text: string) => documentOf('terms', { id: { title: 'Syarat', text } });

const consentsOn = (documents: Documents) =>
  createConsent({ database, documents, clock: () => now, newId: randomId, log }).consents;

/** The service with this text as its document. */
function consentsTo(text: string): Consents {
  return consentsOn(new Documents([documentReading(text)]));
}

/** An acceptance of the text by a new end user, with these changes. */
function acceptance(text: string, change: Partial<RecordConsentRequest> = {}): RecordConsentRequest {
  return {
    api_key_id: 'key_a',
    end_user: randomId('req'),
    document_id: 'terms',
    accepted: true,
    document_version: documentReading(text).version,
    locale: 'id',
    client_version: '1.0',
    idempotency_key: undefined,
    submission_id: undefined,
    ...change,
  };
}

const record = (request: RecordConsentRequest, text = 'v1') =>
  consentsTo(text).record(request, 'req_test', { signal: STAYS });
const isOpen = async (gate: RecordConsentRequest, text = 'v1') =>
  (await consentsTo(text).check(gate)).accepted;
const recordsOf = ({ end_user }: RecordConsentRequest) =>
  database.selectFrom('consent_record').selectAll().where('end_user', '=', end_user).execute();

describe('the gate', () => {
  test('is open exactly when the current text was accepted, whatever came before', async () => {
    const text = fc.constantFrom('v1', 'v2', 'v3');
    const step = fc.record({ reads: text, accepts: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        const who = acceptance('v1');
        const accepted: string[] = [];
        for (const { reads, accepts } of steps) {
          if (accepts) {
            await record({ ...who, document_version: documentReading(reads).version }, reads);
            accepted.push(reads);
          }
          const { accepted: open, latest } = await consentsTo(reads).check(who);
          const last = accepted.at(-1);
          expect(open).toBe(accepted.includes(reads));
          expect(latest?.document_version).toBe(last && documentReading(last).version);
        }
        expect(await recordsOf(who)).toHaveLength(accepted.length);
      }),
      { numRuns: 40 },
    );
  });

  test('stays closed for the same end user of another key, and for another document', async () => {
    const who = acceptance('v1');
    await record(who);
    expect(await isOpen(who)).toBe(true);
    expect(await isOpen({ ...who, api_key_id: 'key_b' })).toBe(false);
    const both = new Documents([documentReading('v1'), { ...documentReading('v1'), id: 'other' }]);
    const consents = consentsOn(both);
    expect((await consents.check({ ...who, document_id: 'other' })).accepted).toBe(false);
  });

  test('stays closed when the caller left before the record was written', async () => {
    const who = acceptance('v1');
    const left = consentsTo('v1').record(who, 'req_test', { signal: AbortSignal.abort() });
    await expect(left).rejects.toMatchObject({ code: 'consent_write_failed' });
    expect(await isOpen(who)).toBe(false);
  });
});

test('a locale that no text of the document has is stored as it was sent', async () => {
  const accepted = acceptance('v1', { locale: 'xx-Sent as is' });
  await record(accepted);
  expect(await recordsOf(accepted)).toMatchObject([{ locale: 'xx-Sent as is' }]);
});

test('a record holds what was accepted, by whom, when and in which request', async () => {
  const who = acceptance('v1', { locale: undefined });
  const { row: made } = await record(who);
  const { api_key_id, end_user, document_id, document_version } = who;
  expect(await recordsOf(who)).toEqual([
    {
      consent_id: made.consent_id,
      ts: T0,
      api_key_id,
      end_user,
      document_id,
      document_version,
      locale: null,
      client_version: '1.0',
      request_id: 'req_test',
      written_as: expect.stringMatching(/^\d+$/) as string,
    },
  ]);
});

describe('an acceptance is refused', () => {
  test.each<[string, Partial<RecordConsentRequest>, string]>([
    ['that is none', { accepted: false }, 'consent_not_accepted'],
    ['that is none, of nothing', { accepted: false, document_id: 'x' }, 'consent_not_accepted'],
    ['of an unknown document', { document_id: 'x' }, 'not_found'],
    ['of an unknown document in an old version', { document_id: 'x', document_version: '0' }, 'not_found'],
    ['of another version', { document_version: '0' }, 'stale_document_version'],
  ])('%s, and leaves no trace', async (_name, change, code) => {
    const request = acceptance('v1', { idempotency_key: randomId('req'), ...change });
    await expect(record(request)).rejects.toMatchObject({ code });
    expect(await recordsOf(request)).toEqual([]);
    await record({ ...acceptance('v1'), idempotency_key: request.idempotency_key || 'spare' });
  });

  test('of another version, naming the required one', async () => {
    const refused = record(acceptance('v1'), 'v2');
    await expect(refused).rejects.toThrow(new RegExp(documentReading('v2').version));
  });
});

describe('an idempotency key', () => {
  const keyed = (change: Partial<RecordConsentRequest> = {}) =>
    acceptance('v1', { idempotency_key: randomId('req'), ...change });

  test('replays its record, even after the text has changed, and refuses another request', async () => {
    const request = keyed();
    const first = await record(request);
    expect(first.replayed).toBe(false);
    for (const text of ['v1', 'v2'])
      expect(await record(request, text)).toEqual({ ...first, replayed: true });
    for (const change of [{ locale: 'en' }, { client_version: undefined }, { end_user: 'other' }]) {
      await expect(record({ ...request, ...change })).rejects.toMatchObject({ code: 'idempotency_conflict' });
    }
    expect(await recordsOf(request)).toHaveLength(1);
    expect(await isOpen(request, 'v2')).toBe(false);
  });

  test('belongs to its API key', async () => {
    const request = keyed();
    const [first, second] = [await record(request), await record({ ...request, api_key_id: 'key_b' })];
    expect(second.replayed).toBe(false);
    expect(second.row.consent_id).not.toBe(first.row.consent_id);
  });

  test('used many times at once makes exactly one record, which all answers return', async () => {
    for (let round = 0; round < 10; round++) {
      const request = keyed();
      const responses = await Promise.all(Array.from({ length: 8 }, () => record(request)));
      expect(responses.filter(({ replayed }) => !replayed)).toHaveLength(1);
      expect(new Set(responses.map((response) => response.row.consent_id)).size).toBe(1);
      expect(await recordsOf(request)).toHaveLength(1);
    }
  });

  test('used by two different requests at once makes one record and refuses the other', async () => {
    const request = keyed();
    const both = await Promise.allSettled([record(request), record({ ...request, locale: 'en' })]);
    const refused = both.filter((outcome) => outcome.status === 'rejected');
    expect(refused.map(({ reason }) => (reason as { code: string }).code)).toEqual(['idempotency_conflict']);
    expect(await recordsOf(request)).toHaveLength(1);
  });

  test('expires after exactly 24 hours', async () => {
    const request = keyed();
    const first = await record(request);
    try {
      now = new Date(T0.getTime() + DAY_MS - 1);
      expect((await record(request)).replayed).toBe(true);
      now = new Date(T0.getTime() + DAY_MS);
      const again = await Promise.all([record(request), record(request)]);
      expect(again.map(({ replayed }) => replayed).toSorted()).toEqual([false, true]);
      expect(again[0].row.consent_id).not.toBe(first.row.consent_id);
      expect(again[1].row).toEqual(again[0].row);
    } finally {
      now = T0;
    }
    expect(await recordsOf(request)).toHaveLength(2);
  });

  test('is removed after it expires, while its record stays', async () => {
    const [old, young] = [keyed(), keyed()];
    const isKept = async ({ idempotency_key }: RecordConsentRequest) => {
      const rows = database.selectFrom('idempotency').selectAll();
      return (await rows.where('idempotency_key', '=', idempotency_key!).execute()).length === 1;
    };
    await record(old);
    try {
      now = new Date(T0.getTime() + DAY_MS);
      await record(young);
      await consentsTo('v1').forgetKeys(STAYS);
    } finally {
      now = T0;
    }
    expect([await isKept(old), await isKept(young)]).toEqual([false, true]);
    expect(await recordsOf(old)).toHaveLength(1);
  });
});

describe('a submission id', () => {
  const submitted = (change: Partial<RecordConsentRequest> = {}) =>
    acceptance('v1', { submission_id: randomId('req'), ...change });

  test('makes one record, however often its request is repeated, and is never reported as a replay', async () => {
    const request = submitted();
    const responses = await Promise.all(Array.from({ length: 6 }, () => record(request)));
    responses.push(await record(request));
    expect(new Set(responses.map((response) => response.row.consent_id)).size).toBe(1);
    expect(responses.filter(({ replayed }) => replayed)).toEqual([]);
    expect(await recordsOf(request)).toHaveLength(1);
  });

  test('makes no record after its refusal, and leaves the Idempotency-Key to the next request', async () => {
    const request = submitted({ idempotency_key: randomId('req') });
    await store.claimed.refuse(request.submission_id!, now);
    await expect(record(request)).rejects.toMatchObject({ code: 'consent_write_failed', isInDoubt: false });
    expect(await recordsOf(request)).toEqual([]);
    expect(await record({ ...request, submission_id: randomId('req') })).toMatchObject({ replayed: false });
  });

  test('makes no record when it is refused during the write', async () => {
    const request = submitted();
    const pattern = 'with "submitted" as (insert%';
    const { refused } = await whileLocked(
      database,
      sql`lock table consent_record in exclusive mode`,
      async () => {
        const failure = expect(record(request)).rejects.toMatchObject({ code: 'consent_write_failed' });
        await expect.poll(() => statementsBlocked(database, pattern)).toBe(1);
        await store.claimed.refuse(request.submission_id!, now);
        return { refused: failure };
      },
    );
    await refused;
    expect(await recordsOf(request)).toEqual([]);
  });

  test('of an answered request keeps its record despite a refusal', async () => {
    const request = submitted();
    const first = await record(request);
    await store.claimed.refuse(request.submission_id!, now);
    expect(await record(request)).toEqual(first);
  });

  test('is kept for one hour', async () => {
    const [old, young] = [submitted(), submitted()];
    const kept = async ({ submission_id, api_key_id }: RecordConsentRequest) =>
      (await store.claimed.madeBySubmission(submission_id, api_key_id)) !== undefined;
    await record(old);
    try {
      now = new Date(T0.getTime() + 3_600_001);
      await record(young);
      await consentsTo('v1').forgetKeys(STAYS);
    } finally {
      now = T0;
    }
    expect([await kept(old), await kept(young)]).toEqual([false, true]);
    expect(await recordsOf(old)).toHaveLength(1);
  });
});

describe('the database', () => {
  const asOwner = async (sql: string) => {
    const client = new pg.Client(servers.databaseUrl);
    await client.connect();
    try {
      return await client.query(sql);
    } finally {
      await client.end();
    }
  };

  test.each([
    ['a change', `update consent.consent_record set end_user = 'other'`],
    ['a change of no row', `update consent.consent_record set end_user = 'other' where false`],
    ['a removal', 'delete from consent.consent_record'],
    ['emptying', 'truncate consent.consent_record'],
    ['emptying along with others', 'truncate consent.idempotency, consent.consent_record cascade'],
    [
      'an addition that would replace',
      `insert into consent.consent_record
         (consent_id, ts, api_key_id, end_user, document_id, document_version, request_id)
       select consent_id, ts, api_key_id, end_user, document_id, document_version, request_id
       from consent.consent_record limit 1
       on conflict (consent_id) do update set document_version = 'other'`,
    ],
    [
      'a change with ordinary triggers off',
      `set session_replication_role = replica; update consent.consent_record set locale = 'xx'`,
    ],
  ])('refuses %s, even by the owner of the table', async (_name, sql) => {
    const who = acceptance('v1');
    await record(who);
    const before = await database.selectFrom('consent_record').selectAll().orderBy('written_as').execute();
    await expect(asOwner(sql)).rejects.toThrow('rows of consent_record can be added and never changed');
    const after = await database.selectFrom('consent_record').selectAll().orderBy('written_as').execute();
    expect(after).toEqual(before);
  });
});
