import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import type { Kysely } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { ConsentServiceService, type RecordConsentRequest } from '#proto/saring/consent/v1/consent.ts';
import { randomId } from '#foundation/ids.ts';
import { createLogger } from '#platform/operations/logger.ts';
import { openPostgres } from '#platform/postgres/open-postgres.ts';
import type { Consents } from '#services/consent/consent-gate.ts';
import { createConsent } from '#services/consent/create-consent.ts';
import { migrations } from '#services/consent/store/migrations/index.ts';
import type { ConsentTables } from '#services/consent/store/tables.ts';
import { documentOf, Documents } from '#services/consent/texts/document.ts';
import { clientOf, startService } from '#support/processes/service-process.ts';
import { ownServers } from '#support/servers/servers.ts';

const servers = ownServers();
const log = createLogger('test', 'silent');
const T0 = new Date('2026-11-20T03:00:00Z');
const STAYS = new AbortController().signal;
let database: Kysely<ConsentTables>;

beforeAll(async () => {
  database = await openPostgres({ url: servers.databaseUrl, schema: 'consent', migrations, log });
});
afterAll(() => database.destroy());

const documentReading = (text: string) => documentOf('terms', { id: { title: 'Syarat', text } });

const consentsOn = (documents: Documents) =>
  createConsent({ database, documents, clock: () => T0, newId: randomId, log }).consents;

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

  test('stays closed for another document', async () => {
    const who = acceptance('v1');
    await record(who);
    expect(await isOpen(who)).toBe(true);
    const both = new Documents([documentReading('v1'), { ...documentReading('v1'), id: 'other' }]);
    const consents = consentsOn(both);
    expect((await consents.check({ ...who, document_id: 'other' })).accepted).toBe(false);
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

test('a repetition is answered even after the text has changed, and opens no gate', async () => {
  const request = acceptance('v1', { idempotency_key: randomId('req') });
  const first = await record(request);
  expect(await record(request, 'v2')).toEqual({ ...first, replayed: true });
  expect(await isOpen(request, 'v2')).toBe(false);
});

test('the service has the operator’s own documents, and an invalid one ends its start with a sentence that names it', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'saring-documents-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(path.join(folder, 'fair_disclaimer'));
  const startReading = async (text: string) => {
    await writeFile(path.join(folder, 'fair_disclaimer/id.md'), text);
    return startService('consent', { DATABASE_URL: servers.databaseUrl, CONSENT_DOCUMENTS: folder });
  };
  const service = await startReading('# Syarat\r\n\r\nSatu.\r\n');
  const client = clientOf(ConsentServiceService, service.address);
  const document = documentOf('fair_disclaimer', { id: { title: 'Syarat', text: 'Satu.' } });
  const asked = { document_id: document.id, locale: undefined };
  expect(await client.getDocument(asked, { requestId: 'req_test' })).toEqual({
    ...{ document_id: document.id, version: document.version },
    ...{ locale: 'id', locales: ['id'], title: 'Syarat', text: 'Satu.' },
  });
  client.close();
  await service.kill();
  const start = startReading('Tanpa judul.');
  await expect(start).rejects.toThrow(
    /saring consent cannot start: \S+fair_disclaimer\/id\.md: must begin with its title/,
  );
  await expect(start).rejects.not.toThrow(/\n\s+at /);
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
