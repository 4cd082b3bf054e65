import { CLICKHOUSE_SCHEMAS } from '#clickhouse/schemas.ts';
import { SCHEMAS } from '#postgres/schemas.ts';

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
  return SCHEMAS.some(({ name, tables }) => name === schema && tables.includes(table));
}
