import { CLICKHOUSE_SCHEMAS } from '#clickhouse/schemas.ts';
import type { DatabaseService } from '#postgres/roles.ts';

/** The tables that the migrations of each schema create. A backup leaves out a table that is missing here. */
const POSTGRES_TABLES: Record<DatabaseService, readonly string[]> = {
  keys: ['api_key', 'key_action', 'key_secret'],
  models: ['backfill', 'backfill_page', 'idempotency_key', 'record_entry', 'run', 'submission'],
  consent: ['consent_record', 'idempotency', 'submission'],
  scheduler: ['firing', 'schedule', 'schedule_place'],
};

const CLICKHOUSE_TABLES: readonly string[] = CLICKHOUSE_SCHEMAS.flatMap(({ migrations }) =>
  migrations.flatMap(({ statements }) =>
    statements.flatMap((statement) =>
      typeof statement === 'object' && 'create' in statement ? [statement.create] : [],
    ),
  ),
);

/** Whether a table is one of Saring's, and not for example an operator's copy. */
export function isKnownTable(store: 'postgres' | 'clickhouse', schema: string, table: string): boolean {
  if (store === 'clickhouse') return CLICKHOUSE_TABLES.includes(`${schema}.${table}`);
  return POSTGRES_TABLES[schema as DatabaseService]?.includes(table) ?? false;
}
