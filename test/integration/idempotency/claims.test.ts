import fc from 'fast-check';
import { sql, type Kysely } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock as clock } from '#foundation/clock.ts';
import { randomId } from '#foundation/ids.ts';
import { DAY_MS } from '#foundation/iso-day.ts';
import { createLogger } from '#platform/operations/logger.ts';
import { openPostgres } from '#platform/postgres/open-postgres.ts';
import { createConsent } from '#services/consent/create-consent.ts';
import { migrations } from '#services/consent/store/migrations/index.ts';
import type { ConsentTables } from '#services/consent/store/tables.ts';
import { documentOf, Documents } from '#services/consent/texts/document.ts';
import { testRuns } from '#support/services/test-runs.ts';
import { statementsBlocked, whileLocked } from '#support/servers/while-locked.ts';

/** Whoever repeats a request, to whichever process, makes one row by its claims. Runs and consents are made so. */

const own = testRuns();
const document = documentOf('terms', { id: { title: 'Syarat', text: 'v1' } });
let consentDatabase: Kysely<ConsentTables>;
let consent: ReturnType<typeof createConsent>;
beforeAll(async () => {
  const log = createLogger('test', 'silent');
  const target = { url: own.databaseUrl, schema: 'consent', migrations, log };
  consentDatabase = await openPostgres<ConsentTables>(target);
  const documents = new Documents([document]);
  consent = createConsent({ database: consentDatabase, documents, clock, newId: randomId, log });
});
afterAll(() => consentDatabase.destroy());

interface Request {
  api_key_id: string;
  idempotency_key?: string;
  submission_id?: string;
  end_user?: string;
}
interface Waiting {
  signal: AbortSignal;
  remainingMs?: number;
}

const STAYS = new AbortController().signal;
const OF_RUNS = {
  tables: { rows: 'run', id: 'job_id', keys: 'idempotency_key', key: 'key' },
  owner: { channel: 'api' },
  unavailable: { code: 'model_unavailable', isInDoubt: false },
  /** Changes that make another request. */
  others: [
    { end_user: 'bob' },
    { params: { lookback: 4 } },
    { model_id: 'regime_adaptive_v6', params: {} },
    { model_id: 'recovery_v4', params: {}, view: 'compact' },
    { trading_day: '2026-09-30' },
  ],
  database: () => own.database,
  claimed: () => own.store.claimed,
  make: async (request: Request, process: number, waiting: Waiting) => {
    const runs = [own.runs, own.otherRuns][process]!;
    const { run, replayed } = await runs.submit(own.submission(request), waiting);
    return { id: run.job_id, replayed };
  },
  removeExpired: () => own.sweeper.purge(STAYS),
};
const OF_CONSENTS = {
  tables: { rows: 'consent_record', id: 'consent_id', keys: 'idempotency', key: 'idempotency_key' },
  owner: {},
  unavailable: { code: 'consent_write_failed', isInDoubt: false },
  others: [{ end_user: 'bob' }, { locale: 'en' }, { client_version: undefined }],
  database: () => consentDatabase,
  claimed: () => consent.store.claimed,
  make: async (request: Request, _process: number, waiting: Waiting) => {
    const text = {
      document_id: 'terms',
      document_version: document.version,
      locale: 'id',
      client_version: '1',
    };
    const acceptance = { end_user: 'alice', accepted: true, ...text, ...request };
    const { row, replayed } = await consent.consents.record(acceptance, 'req_test', waiting);
    return { id: row.consent_id, replayed };
  },
  removeExpired: () => consent.consents.forgetKeys(STAYS),
};

const CONFLICT = { code: 'idempotency_conflict' };
const newKey = () => ({ idempotency_key: randomId('req'), api_key_id: randomId('key') });
const newSubmission = () => ({ submission_id: randomId('req'), api_key_id: randomId('key') });

/** What tests do with the requests of a service and with the rows that they make. */
function rowsOfRequests({ tables, owner, make, ...service }: typeof OF_RUNS | typeof OF_CONSENTS) {
  const database = () => service.database() as Kysely<unknown>;
  const [rows, keys, key] = [sql.table(tables.rows), sql.table(tables.keys), sql.ref(tables.key)];
  return {
    ...service,
    make: (request: Request, process = 0, signal = STAYS) => make(request, process, { signal }),
    makeLate: (request: Request) => make(request, 0, { signal: STAYS, remainingMs: 100 }),
    /** The same request many times at once, in both processes. */
    makeMany: (request: Request) =>
      Promise.all([0, 1, 0, 1, 0, 1, 0, 1].map((process) => make(request, process, { signal: STAYS }))),
    rowsOf: async ({ api_key_id }: { api_key_id: string }) => {
      const ofKey = sql<{ id: string; end_user: string }>`
        select ${sql.ref(tables.id)} as id, end_user from ${rows} where api_key_id = ${api_key_id}`;
      return (await ofKey.execute(database())).rows;
    },
    claimOf: async ({ idempotency_key, api_key_id }: ReturnType<typeof newKey>) => {
      const found = await sql<{ fingerprint: string; created_at: Date }>`
        select fingerprint, created_at from ${keys} where ${key} = ${idempotency_key}`.execute(database());
      const { fingerprint, created_at } = found.rows[0]!;
      const claim = { key: idempotency_key, fingerprint };
      const claimed = service.claimed() as ReturnType<typeof OF_RUNS.claimed>;
      return (ms: number) =>
        claimed.madeByKey({ channel: '', api_key_id, ...owner }, claim, new Date(created_at.getTime() + ms));
    },
    makeDayOlder: ({ idempotency_key }: ReturnType<typeof newKey>) =>
      sql`update ${keys} set created_at = created_at - interval '24 hours'
        where ${key} = ${idempotency_key}`.execute(database()),
    /** Adds as many keys that expire with this one. */
    addOthersLike: ({ idempotency_key }: ReturnType<typeof newKey>, count: number) =>
      sql`insert into ${keys} select (jsonb_populate_record(
        claim, jsonb_build_object(${sql.lit(tables.key)}, 'like-' || n))).*
        from ${keys} as claim, generate_series(1, ${sql.lit(count)}) as n
        where ${key} = ${idempotency_key}`.execute(database()),
    keys: async () => {
      const all = await sql<{ key: string }>`select ${key} as key from ${keys}`.execute(database());
      return all.rows.map((row) => row.key);
    },
    /** Waits until this many statements that write a row are in progress. */
    untilWriting: (count: number) =>
      expect.poll(() => statementsBlocked(database(), 'with "submitted" as%')).toBe(count),
    /** During the work, statements that write a row wait before they have written it. */
    whileUnwritten: <T>(work: () => Promise<T>) =>
      whileLocked(database(), sql`lock table ${rows} in exclusive mode`, work),
    /** During the work, statements that write a row wait after they have written it and taken its claims. */
    whileWritten: async <T>(work: () => Promise<T>): Promise<T> => {
      await sql`create function pass_gate() returns trigger language plpgsql
        as 'begin perform pg_advisory_xact_lock_shared(1); return new; end'`.execute(database());
      await sql`create trigger gate after insert on ${rows} for each row execute function pass_gate()`.execute(
        database(),
      );
      try {
        return await whileLocked(database(), sql`select pg_advisory_xact_lock(1)`, work);
      } finally {
        await sql`drop function pass_gate cascade`.execute(database());
      }
    },
  };
}

const runs = rowsOfRequests(OF_RUNS);
const cases = [
  ['runs', runs],
  ['consents', rowsOfRequests(OF_CONSENTS)],
] as const;

describe.each(cases)('an idempotency key of %s', (_name, { make, rowsOf, ...service }) => {
  test('returns its row again, and refuses each other request', async () => {
    const key = newKey();
    const { id, replayed } = await make(key);
    expect(replayed).toBe(false);
    expect(await make(key, 1)).toEqual({ id, replayed: true });
    for (const other of service.others)
      await expect(make({ ...key, ...other }, 1)).rejects.toMatchObject(CONFLICT);
    expect(await rowsOf(key)).toHaveLength(1);
  });

  test('makes one row, whatever is requested concurrently', async () => {
    const requested = fc.record({
      idempotency_key: fc.constantFrom('first', 'second'),
      end_user: fc.constantFrom('alice', 'bob'),
      process: fc.constantFrom(0, 1),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(requested, { minLength: 2, maxLength: 6 }), async (requests) => {
        const api_key_id = randomId('key');
        const answers = await Promise.allSettled(
          requests.map(({ process, ...request }) => make({ ...request, api_key_id }, process)),
        );
        const rows = await rowsOf({ api_key_id });
        expect(rows).toHaveLength(new Set(requests.map((request) => request.idempotency_key)).size);
        for (const [i, answer] of answers.entries()) {
          const { end_user } = requests[i]!;
          if (answer.status === 'rejected') expect(answer.reason).toMatchObject(CONFLICT);
          else expect(rows).toContainEqual({ id: answer.value.id, end_user });
        }
        const made = answers.filter((answer) => answer.status === 'fulfilled' && !answer.value.replayed);
        expect(made).toHaveLength(rows.length);
      }),
      { numRuns: 25 },
    );
  });

  test('is not used up by a caller who left before the write', async () => {
    const key = newKey();
    const left = make({ ...key, end_user: 'bob' }, 0, AbortSignal.abort());
    await expect(left).rejects.toMatchObject({ code: service.unavailable.code });
    expect((await make(key)).replayed).toBe(false);
    expect(await rowsOf(key)).toHaveLength(1);
  });

  test('repeated while the first request is being written makes one row, and both return it', async () => {
    const key = newKey();
    const { answers } = await service.whileUnwritten(async () => {
      const both = Promise.all([make(key), make(key, 1)]);
      await service.untilWriting(2);
      return { answers: both };
    });
    const [first, second] = await answers;
    expect(first.id).toBe(second.id);
    expect([first.replayed, second.replayed].toSorted()).toEqual([false, true]);
  });

  test('leads a client whose answer was lost to the written row', async () => {
    const key = newKey();
    const leaving = new AbortController();
    const { lost } = await service.whileWritten(async () => {
      const request = make(key, 0, leaving.signal);
      await service.untilWriting(1);
      leaving.abort();
      return { lost: request };
    });
    expect(await make(key, 1)).toEqual({ id: (await lost).id, replayed: true });
  });

  test('expires after exactly 24 hours; then one of two concurrent requests uses it again', async () => {
    const key = newKey();
    await make(key);
    const madeAfter = await service.claimOf(key);
    expect(await madeAfter(DAY_MS - 1)).toMatchObject({ replayed: true });
    expect(await madeAfter(DAY_MS)).toBeUndefined();
    await service.makeDayOlder(key);
    const [one, other] = await Promise.all([0, 1].map((at) => make({ ...key, end_user: 'bob' }, at)));
    expect([one!.replayed, other!.replayed].toSorted()).toEqual([false, true]);
    expect(one!.id).toBe(other!.id);
    expect(await rowsOf(key)).toHaveLength(2);
  });

  test('is removed once it has expired, however many others have, while its row stays', async () => {
    const [old, young] = [newKey(), newKey()];
    const { id } = await make(young);
    await make(old);
    await service.makeDayOlder(old);
    await service.addOthersLike(old, 500);
    await service.removeExpired();
    const left = await service.keys();
    expect(left.filter((key) => key === old.idempotency_key || key.startsWith('like-'))).toEqual([]);
    expect(await rowsOf(old)).toHaveLength(1);
    expect(await make(young)).toEqual({ id, replayed: true });
  });
});

describe.each(cases)('a submission id of %s', (_name, { make, rowsOf, unavailable, ...service }) => {
  const refuse = ({ submission_id }: { submission_id: string }) =>
    service.claimed().refuse(submission_id, new Date());

  test('makes one row, however often its request is repeated, and is never called a replay', async () => {
    for (let round = 0; round < 5; round++) {
      const submission = newSubmission();
      const made = [...(await service.makeMany(submission)), await make(submission, 1)];
      expect(new Set(made.map(({ id }) => id)).size).toBe(1);
      expect(made.filter(({ replayed }) => replayed)).toEqual([]);
      expect(await rowsOf(submission)).toHaveLength(1);
    }
  });

  test('is found only by its own API key', async () => {
    const submission = newSubmission();
    await make(submission);
    const stranger = make({ ...submission, api_key_id: randomId('key') });
    await expect(stranger).rejects.toMatchObject(unavailable);
  });

  test('that comes with a used idempotency key is a replay every time', async () => {
    const key = newKey();
    const { id } = await make({ ...key, submission_id: randomId('req') });
    const repeated = { ...key, submission_id: randomId('req') };
    for (let attempt = 0; attempt < 2; attempt++)
      expect(await make(repeated)).toEqual({ id, replayed: true });
  });

  test('makes nothing once it is refused, and leaves its idempotency key to the next request', async () => {
    const submission = { ...newSubmission(), ...newKey() };
    await refuse(submission);
    await expect(make(submission)).rejects.toMatchObject(unavailable);
    expect(await rowsOf(submission)).toEqual([]);
    expect((await make({ ...submission, submission_id: randomId('req') })).replayed).toBe(false);
  });

  test('makes nothing when it is refused during its statement', async () => {
    const submission = newSubmission();
    const { refused } = await service.whileUnwritten(async () => {
      const failure = expect(make(submission)).rejects.toMatchObject(unavailable);
      await service.untilWriting(1);
      await refuse(submission);
      return { refused: failure };
    });
    await refused;
    expect(await rowsOf(submission)).toEqual([]);
  });

  test('keeps the row that it has made, despite a refusal', async () => {
    const submission = newSubmission();
    const made = await make(submission);
    await refuse(submission);
    expect(await make(submission)).toEqual(made);
  });

  test('is refused by a request that comes too late, so that no later one makes a row', async () => {
    const submission = newSubmission();
    await expect(service.makeLate(submission)).rejects.toMatchObject(unavailable);
    await expect(make(submission)).rejects.toMatchObject(unavailable);
    expect(await rowsOf(submission)).toEqual([]);
  });

  test('is kept for one hour, and its row for longer', async () => {
    const submission = newSubmission();
    const { submission_id, api_key_id } = submission;
    await make(submission);
    const isKept = async () =>
      (await service.claimed().madeBySubmission(submission_id, api_key_id)) !== undefined;
    const inAnHour = Date.now() + 3_600_000;
    await service.claimed().removeExpired(new Date(inAnHour - 60_000), STAYS);
    expect(await isKept()).toBe(true);
    await service.claimed().removeExpired(new Date(inAnHour + 60_000), STAYS);
    expect(await isKept()).toBe(false);
    expect(await rowsOf(submission)).toHaveLength(1);
  });
});

describe('a key of runs that is closed', () => {
  const closeIn = (
    process: typeof own.runs,
    { idempotency_key: key, api_key_id }: ReturnType<typeof newKey>,
  ) => process.closeKey({ api_key_id, channel: 'api', key });

  test('starts no run in any process, and may be closed again', async () => {
    const key = newKey();
    expect(await closeIn(own.runs, key)).toBeUndefined();
    expect(await closeIn(own.otherRuns, key)).toBeUndefined();
    for (const process of [0, 1])
      await expect(runs.make(key, process)).rejects.toMatchObject({ code: 'model_unavailable' });
    expect(await runs.rowsOf(key)).toEqual([]);
  });

  test('keeps the run that it had started, and still returns it', async () => {
    const key = newKey();
    const { id } = await runs.make(key);
    expect(await closeIn(own.otherRuns, key)).toBe(id);
    expect(await runs.make(key)).toEqual({ id, replayed: true });
  });

  test('waits for a submission that is being written, and knows its run', async () => {
    const key = newKey();
    const { submission, closing } = await runs.whileWritten(async () => {
      const both = {
        submission: runs.make(key),
        closing: runs.untilWriting(1).then(() => closeIn(own.otherRuns, key)),
      };
      const closes = () => statementsBlocked(own.database, 'insert into "idempotency_key"%');
      await expect.poll(closes).toBe(1);
      return both;
    });
    expect(await closing).toBe((await submission).id);
  });
});

test('a channel has idempotency keys of its own, also where one is closed', async () => {
  const key = newKey();
  await own.runs.closeKey({ api_key_id: key.api_key_id, channel: 'api', key: key.idempotency_key });
  const scheduled = { ...key, channel: 'scheduled' };
  const { id, replayed } = await runs.make(scheduled);
  expect(replayed).toBe(false);
  expect(await runs.make(scheduled, 1)).toEqual({ id, replayed: true });
});
