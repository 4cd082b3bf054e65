import { sql, type Kysely, type Selectable } from 'kysely';
import { writeInTime } from '#shared/postgres/postgres-away.ts';
import { selectionOf } from '#shared/postgres/selection-of.ts';
import { writeFailed } from '../fail-closed.ts';
import type { ConsentRecordTable, ConsentTables } from './tables.ts';

export type ConsentRow = Selectable<ConsentRecordTable>;
type NewConsent = Omit<ConsentRow, 'written_as'>;

/** An end user of one key, and the document. */
export interface Gate {
  api_key_id: string;
  end_user: string;
  document_id: string;
}

/** How an end user stands with a document. */
export interface Standing {
  accepted: boolean;
  /** The acceptance written last, of whatever version. */
  latest: Pick<ConsentRow, 'document_version' | 'ts'> | undefined;
}

/** The key under which a record is written once, and what makes a repetition the same. */
export interface IdempotencyClaim {
  key: string;
  fingerprint: string;
  /** A use of the key at or before this moment is as if it had not been. */
  expiredAt: Date;
}

/** What an idempotency key has made. */
interface MadeEarlier {
  fingerprint: string;
  record: ConsentRow;
}

/** The table `consent_record`, and which of its rows an idempotency key made. */
export class ConsentStore {
  readonly #db: Kysely<ConsentTables>;

  constructor(db: Kysely<ConsentTables>) {
    this.#db = db;
  }

  /** One statement, so that both halves of the answer are of one moment. */
  async standing(gate: Gate, requiredVersion: string): Promise<Standing> {
    const ofGate = this.#db
      .selectFrom('consent_record')
      .where('api_key_id', '=', gate.api_key_id)
      .where('end_user', '=', gate.end_user)
      .where('document_id', '=', gate.document_id);
    const required = ofGate.select('consent_id').where('document_version', '=', requiredVersion);
    const latest = await ofGate
      .select(['document_version', 'ts'])
      .select((query) => query.exists(required).as('accepted'))
      .orderBy('written_as', 'desc')
      .limit(1)
      .executeTakeFirst();
    return { accepted: latest?.accepted === true, latest };
  }

  /** The record that the key made, unless that is too long ago. */
  async madeEarlier(
    apiKeyId: string,
    { key, expiredAt }: IdempotencyClaim,
  ): Promise<MadeEarlier | undefined> {
    const row = await this.#db
      .selectFrom('idempotency')
      .innerJoin('consent_record', 'consent_record.consent_id', 'idempotency.consent_id')
      .selectAll('consent_record')
      .select('fingerprint')
      .where('idempotency.api_key_id', '=', apiKeyId)
      .where('idempotency_key', '=', key)
      .where('created_at', '>', expiredAt)
      .executeTakeFirst();
    if (!row) return undefined;
    const { fingerprint, ...record } = row;
    return { fingerprint, record };
  }

  /**
   * Writes the record only while its caller can still learn of it, for which `leftMs` says how long. Undefined when it
   * is too late, or when what it claims has made a record already.
   * @throws ServiceError consent_write_failed when the database is silent, in doubt if it may write all the same.
   */
  append(record: NewConsent, claims: Claims, leftMs: () => number): Promise<ConsentRow | undefined> {
    return writeInTime(this.#db, {
      leftMs,
      failure: writeFailed,
      write: (db, until) => writeRecord(db, record, claims, until),
    });
  }

  /** The record that the submission made. */
  madeBy(submissionId: string, apiKeyId: string): Promise<ConsentRow | undefined> {
    return this.#db
      .selectFrom('submission')
      .innerJoin('consent_record', 'consent_record.consent_id', 'submission.consent_id')
      .selectAll('consent_record')
      .where('submission_id', '=', submissionId)
      .where('api_key_id', '=', apiKeyId)
      .executeTakeFirst();
  }

  /** From now on nothing is recorded under this id. Without effect on one that has made a record. */
  async refuse(submissionId: string, now: Date): Promise<void> {
    await this.#db
      .insertInto('submission')
      .values({ submission_id: submissionId, consent_id: null, created_at: now })
      .onConflict((taken) => taken.doNothing())
      .execute();
  }

  /** Removes submissions that are too old to be repeated. Returns how many. */
  async forgetSubmissions(before: Date, limit: number): Promise<number> {
    const old = this.#db
      .selectFrom('submission')
      .select('submission_id')
      .where('created_at', '<', before)
      .limit(limit);
    const { numDeletedRows } = await this.#db
      .deleteFrom('submission')
      .where('submission_id', 'in', old)
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  }

  /** Forgets what idempotency keys made up to `expiredAt`; the records stay. Returns how many were forgotten. */
  async forgetKeys(expiredAt: Date, limit: number): Promise<number> {
    const old = this.#db
      .selectFrom('idempotency')
      .select(['api_key_id', 'idempotency_key'])
      .where('created_at', '<=', expiredAt)
      .limit(limit);
    const { numDeletedRows } = await this.#db
      .deleteFrom('idempotency')
      .where((row) =>
        row(
          row.refTuple('api_key_id', 'idempotency_key'),
          'in',
          old.$asTuple('api_key_id', 'idempotency_key'),
        ),
      )
      .where('created_at', '<=', expiredAt)
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  }
}

/** Under what a request makes but one record; each is claimed in the statement that writes the record. */
interface Claims {
  /** Of this one request; see the table `submission`. */
  submissionId: string | undefined;
  /** Of the caller's, for a day. */
  idempotency: IdempotencyClaim | undefined;
}

/**
 * Writes a record, and in the same statement what it claims, so that all are there or none. Writes nothing once
 * `writeUntil` is past on the database's clock, when the submission is taken or refused, or when the key was claimed after
 * it would have expired; a rival that claims it at the same time is waited for. Undefined when nothing was written.
 */
function writeRecord(
  db: Kysely<ConsentTables>,
  record: NewConsent,
  { submissionId, idempotency }: Claims,
  writeUntil: Date,
): Promise<ConsentRow | undefined> {
  const { api_key_id, consent_id, ts } = record;
  const inTime = sql<boolean>`clock_timestamp() < ${writeUntil}`;
  const { columns, values } = selectionOf(record);
  const claimed = [sql<string | null>`${consent_id}::text`.as('consent_id')];
  const submission = selectionOf({ submission_id: submissionId ?? '', consent_id, created_at: ts });
  const { key, fingerprint, expiredAt } = idempotency ?? NO_CLAIM;
  const keyed = selectionOf({ api_key_id, idempotency_key: key, fingerprint, consent_id, created_at: ts });
  return db
    .with('submitted', (cte) =>
      submissionId === undefined
        ? cte.selectNoFrom(claimed).where(inTime)
        : cte
            .insertInto('submission')
            .columns(submission.columns)
            .expression(cte.selectNoFrom(submission.values).where(inTime))
            .onConflict((conflict) => conflict.column('submission_id').doNothing())
            .returning('consent_id'),
    )
    .with('keyed', (cte) =>
      idempotency === undefined
        ? cte.selectFrom('submitted').select(claimed)
        : cte
            .insertInto('idempotency')
            .columns(keyed.columns)
            .expression(cte.selectFrom('submitted').select(keyed.values))
            .onConflict((conflict) =>
              conflict
                .columns(['api_key_id', 'idempotency_key'])
                .doUpdateSet((row) => ({
                  fingerprint: row.ref('excluded.fingerprint'),
                  consent_id: row.ref('excluded.consent_id'),
                  created_at: row.ref('excluded.created_at'),
                }))
                .where('idempotency.created_at', '<=', expiredAt),
            )
            .returning('consent_id'),
    )
    .insertInto('consent_record')
    .columns(columns)
    .expression((query) => query.selectFrom('keyed').select(values))
    .returningAll()
    .executeTakeFirst();
}

const NO_CLAIM: IdempotencyClaim = { key: '', fingerprint: '', expiredAt: new Date(0) };
