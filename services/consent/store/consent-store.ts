import { sql, type Kysely, type Selectable } from 'kysely';
import { ClaimedRows, type Claims } from '#platform/postgres/claimed-rows.ts';
import { writeInTime } from '#platform/postgres/postgres-unavailable.ts';
import { writeFailed } from './fail-closed.ts';
import type { ConsentRecordTable, ConsentTables } from './tables.ts';

export type ConsentRow = Selectable<ConsentRecordTable>;
type NewConsent = Omit<ConsentRow, 'written_as'>;

/** An end user of one key, and a document. */
export interface Gate {
  api_key_id: string;
  end_user: string;
  document_id: string;
}

export interface Standing {
  accepted: boolean;
  /** The latest acceptance, of any version. */
  latest: Pick<ConsentRow, 'document_version' | 'ts'> | undefined;
}

/** Only records that were written after the end user was erased count. */
function countsSinceErasure({ api_key_id, end_user }: Gate) {
  return sql<boolean>`written_as > coalesce((select erased_through from end_user_erasure
    where api_key_id = ${api_key_id} and end_user = ${end_user}), 0)`;
}

export class ConsentStore {
  readonly #db: Kysely<ConsentTables>;
  /** The claims under which requests make records. */
  readonly claimed: ClaimedRows<ConsentRow, Pick<ConsentRow, 'api_key_id'>>;

  constructor(db: Kysely<ConsentTables>) {
    this.#db = db;
    this.claimed = new ClaimedRows(db, {
      rows: 'consent_record',
      id: 'consent_id',
      keys: 'idempotency',
      keyColumn: 'idempotency_key',
      owner: ['api_key_id'],
    });
  }

  /** Uses one statement, so that both halves of the response come from the same moment. */
  async standing(gate: Gate, requiredVersion: string): Promise<Standing> {
    const ofGate = this.#db
      .selectFrom('consent_record')
      .where('api_key_id', '=', gate.api_key_id)
      .where('end_user', '=', gate.end_user)
      .where('document_id', '=', gate.document_id)
      .where(countsSinceErasure(gate));
    const required = ofGate.select('consent_id').where('document_version', '=', requiredVersion);
    const latest = await ofGate
      .select(['document_version', 'ts'])
      .select((query) => query.exists(required).as('accepted'))
      .orderBy('written_as', 'desc')
      .limit(1)
      .executeTakeFirst();
    return { accepted: latest?.accepted === true, latest };
  }

  /**
   * Writes the record only while its caller can still get the response; `leftMs` returns how long that is. Undefined when it is
   * too late, or when one of the claims has already made a record.
   * @throws ServiceError consent_write_failed when the database is silent. In doubt if the database may still write.
   */
  append(record: NewConsent, claims: Claims, leftMs: () => number): Promise<ConsentRow | undefined> {
    return writeInTime(this.#db, {
      leftMs,
      failure: writeFailed,
      write: (db, until) => this.claimed.insert(db, record, claims, { now: record.ts, until }),
    });
  }
}
