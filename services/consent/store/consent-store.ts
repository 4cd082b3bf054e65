import { sql, type Kysely, type Selectable } from 'kysely';
import type { ConsentRecordTable, ConsentTables } from './tables.ts';
import { writeRecord } from './write-record.ts';

export type ConsentRow = Selectable<ConsentRecordTable>;
export type NewConsent = Omit<ConsentRow, 'written_as'>;

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
export interface MadeEarlier {
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
   * is too late, or when the claimed key has made a record already. The database shows first that it answers, and then
   * refuses by its own clock what a lock or a pause let it see too late. No transaction: the server would keep one
   * whose connection fell silent, and its locks, until it notices.
   */
  append(
    record: NewConsent,
    claim: IdempotencyClaim | undefined,
    leftMs: () => number,
  ): Promise<ConsentRow | undefined> {
    return this.#db.connection().execute(async (db) => {
      const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db);
      const left = leftMs();
      if (left <= 0) return undefined;
      return writeRecord(db, record, claim, new Date(rows[0]!.now.getTime() + left));
    });
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
