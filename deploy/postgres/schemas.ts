import { migrations as consent } from '#services/consent/store/migrations/index.ts';
import { migrations as keys } from '#services/keys/store/migrations/index.ts';
import { migrations as models } from '#services/models/store/migrations/index.ts';
import { migrations as scheduler } from '#services/scheduler/store/migrations/index.ts';
import type { PostgresSchema } from '#shared/postgres/schema-version.ts';
import { DATABASE_SERVICES, type DatabaseService } from './roles.ts';

const MIGRATIONS: Record<DatabaseService, PostgresSchema['migrations']> = {
  keys,
  models,
  consent,
  scheduler,
};

/** The schemas, each with the name of its service. */
export const SCHEMAS: PostgresSchema[] = DATABASE_SERVICES.map((name) => ({
  name,
  migrations: MIGRATIONS[name],
}));
