import type { PostgresSchema } from '#platform/postgres/schema-version.ts';
import { DATABASE_SERVICES } from './roles.ts';

interface ServiceSchema extends PostgresSchema {
  /** Every table that the migrations create. */
  tables: readonly string[];
}

/** The schemas, each with the name of its service. */
export const SCHEMAS: ServiceSchema[] = await Promise.all(
  DATABASE_SERVICES.map(async (name) => {
    const module = (await import(`#services/${name}/store/migrations/index.ts`)) as Omit<
      ServiceSchema,
      'name'
    >;
    return { name, migrations: module.migrations, tables: module.tables };
  }),
);
