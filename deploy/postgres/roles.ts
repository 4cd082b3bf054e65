/** Owns every schema and table, and logs in nowhere: no service can change or drop what guards its rows. */
export const OWNER = 'saring_owner';

/** The services with a schema of their own, which is called like them. */
export const DATABASE_SERVICES = ['keys', 'models', 'consent', 'scheduler'] as const;
export type DatabaseService = (typeof DATABASE_SERVICES)[number];

/** As whom a service connects. */
export function roleOf(service: string): string {
  return `saring_${service}`;
}
