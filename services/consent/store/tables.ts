import type { ColumnType, GeneratedAlways } from 'kysely';

/** A column that is written once and never updated. */
type Written<T> = ColumnType<T, T, never>;

/** The database allows inserts only, no changes or deletions. */
export interface ConsentRecordTable {
  consent_id: Written<string>;
  ts: Written<Date>;
  api_key_id: Written<string>;
  end_user: Written<string>;
  document_id: Written<string>;
  document_version: Written<string>;
  locale: Written<string | null>;
  client_version: Written<string | null>;
  request_id: Written<string>;
  /** Orders records with the same timestamp. */
  written_as: GeneratedAlways<string>;
}

/** The record that an idempotency key made. Rows are removed after a day. */
interface IdempotencyTable {
  api_key_id: string;
  idempotency_key: string;
  fingerprint: string;
  consent_id: string;
  created_at: Date;
}

/** The outcome of requests that a caller repeats until it gets a response. Rows are removed after an hour. */
interface SubmissionTable {
  submission_id: string;
  /** The record that the submission made; null once nothing may be recorded under it any more. */
  consent_id: string | null;
  created_at: Date;
}

/** Up to which record the acceptances of an end user no longer count, because everything else about it was erased. */
interface EndUserErasureTable {
  api_key_id: string;
  end_user: string;
  erased_through: string;
  erased_at: Date;
}

export interface ConsentTables {
  consent_record: ConsentRecordTable;
  end_user_erasure: EndUserErasureTable;
  idempotency: IdempotencyTable;
  submission: SubmissionTable;
}
