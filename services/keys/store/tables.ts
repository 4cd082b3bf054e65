import type { OutboxTables } from '#platform/postgres/outbox.ts';
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { ActionName } from './key-action.ts';

export type Labels = Record<string, string>;

interface ApiKeyTable {
  id: string;
  name: string;
  scopes: string[];
  rate_limit_per_minute: number;
  created_at: ColumnType<Date, Date, never>;
  expires_at: Date | null;
  /** Rounded down to the minute. */
  last_used_at: Generated<Date | null>;
  disabled_at: Generated<Date | null>;
  /** The row is kept after deletion, so that key ids in the ledger can still be resolved. */
  deleted_at: Generated<Date | null>;
  labels: ColumnType<Labels, string, string>;
  /** Incremented by every change of the key, for compare-and-set. */
  revision: Generated<number>;
  /** The expiry of which the key was last told, and how many days it was then away. Null if it never was. */
  noticed_expiry: Generated<Date | null>;
  noticed_days: Generated<number | null>;
}

/** A key has one secret without an end. During a rotation it also has older secrets that end. */
interface KeySecretTable {
  secret_hash: string;
  key_id: string;
  hint: string;
  /** Id of the pepper under which the secret is hashed; null for a secret from before this column existed. */
  pepper_id: string | null;
  created_at: ColumnType<Date, Date, never>;
  valid_until: Date | null;
}

/** Append-only: the database refuses to change it. */
interface KeyActionTable {
  seq: GeneratedAlways<string>;
  ts: ColumnType<Date, Date, never>;
  key_id: string;
  action: ActionName;
  actor: string;
  request_id: string;
  changes: ColumnType<Record<string, unknown>, string, never>;
}

/** A browser that is signed in with a key. */
interface SessionTable {
  id: string;
  key_id: string;
  secret_hash: string;
  created_at: ColumnType<Date, Date, never>;
  /** Rounded down to the minute. */
  last_used_at: Date;
  browser: string;
  /**
   * The hint of the key's secret with which the session was started: unlike its hash, it does not change with the pepper. Null if an
   * earlier release started it.
   */
  key_secret_hint: string | null;
}

export interface KeysTables extends OutboxTables {
  api_key: ApiKeyTable;
  key_secret: KeySecretTable;
  key_action: KeyActionTable;
  session: SessionTable;
}
