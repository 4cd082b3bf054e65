/**
 * Writes what the compose file needs and nobody else may know: `.env` with a secret for each service, and `secrets/` with the
 * certificates of mutual TLS and the users of NATS and ClickHouse. What is there stays, but for the certificates, which are
 * renewed.
 *
 *   node deploy/compose/prepare.ts
 */
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { CLICKHOUSE_SERVICES } from '#clickhouse/service-users.ts';
import { usersConfig } from '#local/servers/clickhouse-config.ts';
import { serviceUsers } from '#local/servers/clickhouse-server.ts';
import { authorizationConfig } from '#nats/authorization.ts';
import { DATABASE_SERVICES } from '#postgres/roles.ts';
import { NATS_SERVICES, permissionsOf } from '#shared/nats/permissions.ts';
import { ensureCa, makeCertificate } from '../tls/certificates.ts';
import { PROCESSES } from '../tls/processes.ts';

const CERTIFICATE_DAYS = 365;
/** Stands before the gateways and is what clients see. */
const PROXY = 'proxy';

const variable = (service: string, what: string) => `${service.toUpperCase().replace('-', '_')}_${what}`;
const natsPassword = (service: string) => variable(service, 'NATS_PASSWORD');
const clickhousePassword = (service: string) => variable(service, 'CLICKHOUSE_PASSWORD');
const databasePassword = (service: string) => variable(service, 'DATABASE_PASSWORD');

const NAMES = [
  'OPERATOR_TOKEN',
  'KEY_PEPPER',
  'CURSOR_SECRET',
  'RECORD_SECRET',
  'POSTGRES_PASSWORD',
  'ANALYST_PASSWORD',
  ...NATS_SERVICES.map(natsPassword),
  ...CLICKHOUSE_SERVICES.map(clickhousePassword),
  ...DATABASE_SERVICES.map(databasePassword),
];

const here = import.meta.dirname;
const secrets = path.join(here, 'secrets');
const envFile = path.join(here, '.env');
mkdirSync(secrets, { recursive: true });

const env = existsSync(envFile) ? parseEnv(readFileSync(envFile, 'utf8')) : {};
// NATS takes a variable that begins with a digit for a number.
for (const name of NAMES) env[name] ??= `s${randomBytes(24).toString('base64url')}`;
writeFileSync(
  envFile,
  Object.entries(env)
    .map(([name, value]) => `${name}=${value}\n`)
    .join(''),
  { mode: 0o600 },
);

const clickhousePasswords = Object.fromEntries(
  CLICKHOUSE_SERVICES.map((service) => [service, env[clickhousePassword(service)]!]),
) as Record<(typeof CLICKHOUSE_SERVICES)[number], string>;
const clickhouseUsers = {
  users: serviceUsers(clickhousePasswords),
  analyst: { user: 'analyst', password: env['ANALYST_PASSWORD']! },
  fromAnywhere: true,
};
writeFileSync(path.join(secrets, 'clickhouse-users.xml'), usersConfig(clickhouseUsers));

const natsLogins = NATS_SERVICES.map((service) => ({
  user: service,
  password: `$${natsPassword(service)}`,
  permissions: permissionsOf(service),
}));
writeFileSync(path.join(secrets, 'nats-users.conf'), authorizationConfig(natsLogins));

const tls = path.join(secrets, 'tls');
ensureCa(tls, CERTIFICATE_DAYS * 10);
for (const name of [...PROCESSES, PROXY]) makeCertificate(tls, name, ['localhost'], CERTIFICATE_DAYS);
const proxyFiles = ['crt', 'key'].map((suffix) => readFileSync(path.join(tls, `${PROXY}.${suffix}`)));
writeFileSync(path.join(tls, `${PROXY}.pem`), Buffer.concat(proxyFiles));
// Containers run as users of their own, to whom this folder alone is mounted; the CA's key is no process's business.
chmodSync(tls, 0o755);
for (const file of readdirSync(tls)) chmodSync(path.join(tls, file), file === 'ca.key' ? 0o600 : 0o644);
console.log(`Secrets in ${envFile} and ${secrets}. Keep both out of reach of others.`);
