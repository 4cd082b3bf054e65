/**
 * Prepares an external PostgreSQL as the local fleet prepares its own: a role for each service with only the privileges it
 * needs, and every schema up to date. Run it before the services of a new version start, with a password for every service that
 * has a schema.
 *
 *   DATABASE_URL=postgres://superuser:…@host/saring KEYS_PASSWORD=… MODELS_PASSWORD=… … node_modules/.bin/node deploy/postgres/migrate.ts
 *
 * The services then connect as saring_keys, saring_models and so on.
 */
import { ConfigError, loadConfig, secret, urlOf } from '#platform/configuration/config.ts';
import { settingOf } from '#platform/configuration/settings.ts';
import { prepareDatabase } from './prepare-database.ts';
import { DATABASE_SERVICES, roleOf, type DatabaseService } from './roles.ts';

const passwordOf = (service: DatabaseService) => settingOf(service, 'PASSWORD');
const password = (service: DatabaseService) => secret({ desc: `password of the role ${roleOf(service)}` });
const settings = {
  DATABASE_URL: urlOf('postgres', 'postgresql')({ desc: 'the database, as a superuser' }),
  ...Object.fromEntries(DATABASE_SERVICES.map((service) => [passwordOf(service), password(service)])),
};

try {
  const config: Record<string, string> = loadConfig(settings);
  const passwords = DATABASE_SERVICES.map((service) => [service, config[passwordOf(service)]]);
  await prepareDatabase(
    config['DATABASE_URL']!,
    Object.fromEntries(passwords) as Record<DatabaseService, string>,
  );
  console.log('Roles and schemas are up to date.');
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = error instanceof ConfigError ? 78 : 1;
}
