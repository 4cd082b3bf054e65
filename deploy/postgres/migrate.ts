/**
 * Prepares a PostgreSQL of one's own as the local fleet prepares its own: a role for each service with just its rights, and
 * every schema up to date. Run it before the services of a new version start.
 *
 *   DATABASE_URL=postgres://superuser:…@host/saring KEYS_PASSWORD=… MODELS_PASSWORD=… CONSENT_PASSWORD=… \
 *     SCHEDULER_PASSWORD=… node deploy/postgres/migrate.ts
 *
 * The services then connect as saring_keys, saring_models, saring_consent and saring_scheduler.
 */
import { ConfigError, loadConfig, secret, urlOf } from '#shared/config/config.ts';
import { prepareDatabase } from './prepare-database.ts';

const password = (service: string) => secret({ desc: `password of the role saring_${service}` });
const settings = {
  DATABASE_URL: urlOf('postgres', 'postgresql')({ desc: 'the database, as a superuser' }),
  KEYS_PASSWORD: password('keys'),
  MODELS_PASSWORD: password('models'),
  CONSENT_PASSWORD: password('consent'),
  SCHEDULER_PASSWORD: password('scheduler'),
};

try {
  const config = loadConfig(settings);
  await prepareDatabase(config.DATABASE_URL, {
    keys: config.KEYS_PASSWORD,
    models: config.MODELS_PASSWORD,
    consent: config.CONSENT_PASSWORD,
    scheduler: config.SCHEDULER_PASSWORD,
  });
  console.log('Roles and schemas are up to date.');
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = error instanceof ConfigError ? 78 : 1;
}
