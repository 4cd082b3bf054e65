import { servicesWith, type ServiceWith } from '#services/service-table.ts';

/** Owns every schema and table and cannot log in, so that no service can change or drop the triggers that protect its rows. */
export const OWNER = 'saring_owner';

/** The services with a schema, which has the same name. */
export const DATABASE_SERVICES = servicesWith('DATABASE_URL');
export type DatabaseService = ServiceWith<'DATABASE_URL'>;

/** The role as which a service connects. */
export function roleOf(service: string): string {
  return `saring_${service}`;
}
