import { sql, type Kysely, type Selectable } from 'kysely';
import { writeInTime } from '#shared/postgres/postgres-away.ts';
import { selectionOf } from '#shared/postgres/selection-of.ts';
import { writeFailed } from '../fail-closed.ts';
import type { ConsentRecordTable, ConsentTables } from './tables.ts';

export type ConsentRow = Selectable<ConsentRecordTable>;
type NewConsent = Omit<ConsentRow, 'written_as'>;

/** An end user of one key, and a document. */
export interface Gate {
  api_key_id: string;
  end_user: string;
  document_id: string;
}

/** Whether an end user has accepted a document. */
export interface Standing {
  accepted: boolean;
  /** The latest acceptance, of any version. */
  latest: Pick<ConsentRow, 'document_version' | 'ts'> | undefined;
}

/** An idempotency key, and the fingerprint by which a repeated request is recognised. */
export interface IdempotencyClaim {
  key: string;
  fingerprint: string;
  /** Uses of the key at or before this moment no longer count. */
  expiredAt: Date;
}

/** The record that an idempotency key made. */
interface MadeEarlier {
  fingerprint: string;
  record: ConsentRow;
}

/** The table `consent_record`, with the idempotency keys and submissions that made its rows. */
export class ConsentStore {
  readonly #db: Kysely<ConsentTables>;

  constructor(db: Kysely<ConsentTables>) {
    this.#db = db;
  }

  /** Uses one statement, so that both halves of the answer come from the same moment. */
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

  /** The record that the key made. Undefined once the key has expired. */
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
   * Writes the record only while its caller can still get the answer; `leftMs` returns how long that is. Undefined when it is
   * too late, or when one of the claims has already made a record.
   * @throws ServiceError consent_write_failed when the database is silent. In doubt if the database may still write.
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

  /** From now on nothing is recorded under this id. Has no effect on a submission that has already made a record. */
  async refuse(submissionId: string, now: Date): Promise<void> {
    await this.#db
      .insertInto('submission')
      .values({ submission_id: submissionId, consent_id: null, created_at: now })
      .onConflict((taken) => taken.doNothing())
      .execute();
  }

  /** Removes submissions that are too old to be repeated. Returns how many it removed. */
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

  /** Removes idempotency keys up to `expiredAt`. Their records stay. Returns how many keys it removed. */
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

/** The ids under which a request makes at most one record. The statement that writes the record claims them too. */
interface Claims {
  /** Identifies this one request; see the table `submission`. */
  submissionId: string | undefined;
  /** The caller's own key, valid for a day. */
  idempotency: IdempotencyClaim | undefined;
}

/**
 * Writes a record and its claims in one statement, so that all of them exist or none. Writes nothing once `writeUntil` has
 * passed on the database's clock, when the submission is taken or refused, or when the key has a claim that has not expired. If
 * another request claims the key at the same time, the statement waits for it. Undefined when nothing was written.
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
