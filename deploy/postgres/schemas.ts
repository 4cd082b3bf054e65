import { migrations as consent } from '#services/consent/store/migrations/index.ts';
import { migrations as keys } from '#services/keys/store/migrations/index.ts';
import { migrations as models } from '#services/models/store/migrations/index.ts';
import { migrations as scheduler } from '#services/scheduler/store/migrations/index.ts';
import type { PostgresSchema } from '#shared/postgres/schema-version.ts';

/** By service, whose name each schema has. */
export const SCHEMAS: PostgresSchema[] = [
  { name: 'keys', migrations: keys },
  { name: 'models', migrations: models },
  { name: 'consent', migrations: consent },
  { name: 'scheduler', migrations: scheduler },
];
