/**
 * Writes the secret files that the compose file needs: `.env` with a secret for each service and store, and `secrets/` with the
 * certificates of mutual TLS and the users of NATS and ClickHouse. Existing secrets stay; certificates are renewed.
 *
 *   node deploy/compose/prepare.ts
 */
import { hash } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { authorizationOfServices, natsPassword } from '#nats/authorization.ts';
import { secretsIn } from '#shared/config/config.ts';
import { clickhouseUsersFile, envFile, keptSecrets } from '../secrets/kept-secrets.ts';
import { ensureCa, makeCertificate } from '../tls/certificates.ts';
import { PROCESSES } from '../tls/processes.ts';

const CERTIFICATE_DAYS = 365;
/** Runs in front of the gateways. Clients see its certificate. */
const PROXY = 'proxy';

const here = import.meta.dirname;
const secrets = path.join(here, 'secrets');
const environment = path.join(here, '.env');
mkdirSync(secrets, { recursive: true });

const known = keptSecrets(environment, ['REDIS_PASSWORD']);
const hashes = secretsIn(known['OPERATOR_TOKEN']!).map((token) => hash('sha256', token, 'hex'));
writeFileSync(environment, envFile({ ...known, OPERATOR_TOKEN_SHA256: hashes.join() }));
writeFileSync(path.join(secrets, 'clickhouse-users.xml'), clickhouseUsersFile(known));
const ofEnvironment = authorizationOfServices((service) => `$${natsPassword(service)}`);
writeFileSync(path.join(secrets, 'nats-users.conf'), ofEnvironment);

const tls = path.join(secrets, 'tls');
ensureCa(tls, CERTIFICATE_DAYS * 10);
for (const name of [...PROCESSES, PROXY]) makeCertificate(tls, name, ['localhost'], CERTIFICATE_DAYS);
const proxyFiles = ['crt', 'key'].map((suffix) => readFileSync(path.join(tls, `${PROXY}.${suffix}`)));
writeFileSync(path.join(tls, `${PROXY}.pem`), Buffer.concat(proxyFiles));
// Containers run as different users, and only this folder is mounted into them. No process needs the CA's key.
chmodSync(tls, 0o755);
for (const file of readdirSync(tls)) chmodSync(path.join(tls, file), file === 'ca.key' ? 0o600 : 0o644);
console.log(`Secrets in ${environment} and ${secrets}. Keep both out of reach of others.`);
