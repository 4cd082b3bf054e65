/**
 * Writes the secret files that the compose file needs: `.env` with a secret for each service and store, and `secrets/` with the
 * certificates of mutual TLS and the users of NATS and ClickHouse. Existing secrets stay; certificates are renewed.
 *
 *   node_modules/.bin/node deploy/compose/prepare.ts [FOLDER]     # otherwise the folder of the compose file
 */
import { hash } from 'node:crypto';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { authorizationOfServices, natsPassword } from '#nats/authorization.ts';
import { secretsIn } from '#platform/configuration/config.ts';
import { clickhouseUsersFile, envFile, keptSecrets } from '../secrets/kept-secrets.ts';
import { ensureCa, makeCertificate } from '../tls/certificates.ts';
import { PROCESSES } from '../tls/processes.ts';

const CERTIFICATE_DAYS = 365;
/** Runs in front of the gateways. Clients see its certificate. */
const PROXY = 'proxy';

const here = path.resolve(process.argv[2] ?? import.meta.dirname);
const secrets = path.join(here, 'secrets');
const environment = path.join(here, '.env');
mkdirSync(secrets, { recursive: true });
chmodSync(secrets, 0o700);

const known = keptSecrets(environment, ['REDIS_PASSWORD']);
const hashes = secretsIn(known['OPERATOR_TOKEN']!).map((token) => hash('sha256', token, 'hex'));
writeFileSync(environment, envFile({ ...known, OPERATOR_TOKEN_SHA256: hashes.join() }));
const ofEnvironment = authorizationOfServices((service) => `$${natsPassword(service)}`);
const usersFiles = { 'clickhouse-users.xml': clickhouseUsersFile(known), 'nats-users.conf': ofEnvironment };
for (const [name, content] of Object.entries(usersFiles)) {
  writeFileSync(path.join(secrets, name), content);
  // Containers run as users of their own, whatever the umask here.
  chmodSync(path.join(secrets, name), 0o644);
}

const tls = path.join(secrets, 'tls');
ensureCa(tls, CERTIFICATE_DAYS * 10);
// Users of this machine cannot enter the folder. Each container gets a folder of its own, with its key and no other.
chmodSync(tls, 0o700);
for (const name of [...PROCESSES, PROXY]) {
  const folder = path.join(tls, name);
  mkdirSync(folder, { recursive: true });
  makeCertificate(tls, name, ['localhost'], CERTIFICATE_DAYS);
  for (const suffix of ['crt', 'key'])
    renameSync(path.join(tls, `${name}.${suffix}`), path.join(folder, `${name}.${suffix}`));
  copyFileSync(path.join(tls, 'ca.crt'), path.join(folder, 'ca.crt'));
  // Containers run as users of their own.
  chmodSync(folder, 0o755);
  for (const file of [`${name}.crt`, `${name}.key`, 'ca.crt']) chmodSync(path.join(folder, file), 0o644);
}
const ofProxy = (suffix: string) => path.join(tls, PROXY, `${PROXY}.${suffix}`);
writeFileSync(ofProxy('pem'), Buffer.concat(['crt', 'key'].map((suffix) => readFileSync(ofProxy(suffix)))));
chmodSync(ofProxy('pem'), 0o644);
rmSync(path.join(tls, `${PROXY}.pem`), { force: true });
console.log(`Secrets in ${environment} and ${secrets}. Keep both out of reach of others.`);
