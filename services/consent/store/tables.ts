import type { ColumnType, GeneratedAlways } from 'kysely';

/** A column that is written once. */
type Written<T> = ColumnType<T, T, never>;

/** Rows are added and never changed or removed; the database sees to it. */
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
  /** Orders the records of one moment. */
  written_as: GeneratedAlways<string>;
}

/** Which record an idempotency key made. Rows are removed after a day. */
interface IdempotencyTable {
  api_key_id: string;
  idempotency_key: string;
  fingerprint: string;
  consent_id: string;
  created_at: Date;
}

/** What became of requests that may be repeated until they are answered. Rows are removed after an hour. */
interface SubmissionTable {
  submission_id: string;
  /** The record that it made; null once nothing may be recorded under it any more. */
  consent_id: string | null;
  created_at: Date;
}

export interface ConsentTables {
  consent_record: ConsentRecordTable;
  idempotency: IdempotencyTable;
  submission: SubmissionTable;
}
