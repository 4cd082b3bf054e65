import type { ColumnType, Generated } from 'kysely';

export interface ApiKeyTable {
  id: string;
  name: string;
  hint: string;
  secret_hash: string;
  scopes: string[];
  rate_limit_per_minute: number;
  created_at: ColumnType<Date, Date, never>;
  disabled_at: Generated<Date | null>;
  /** Kept after deletion, so that the ledger's key ids always lead somewhere. */
  deleted_at: Generated<Date | null>;
}

export interface KeysTables {
  api_key: ApiKeyTable;
}
