/**
 * Writes the settings of a fleet on plain machines. The folder is the same for all of them: secrets, certificates of mutual
 * TLS, one settings file for each process, and the configuration of NATS and ClickHouse. When it runs again, secrets stay and
 * certificates are renewed.
 *
 *   node_modules/.bin/node deploy/systemd/prepare.ts /etc/saring saring-1 saring-2 saring-3
 *
 * Every host runs NATS and all services, the first one PostgreSQL, the last one ClickHouse. The name `saring` stands for all
 * hosts. Services read `tls/`. The certificate authority is in `ca/`, which stays on this machine.
 */
import { chmodSync, copyFileSync, existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  addressesBy,
  addressSettings,
  SERVICE_SECRETS,
  serviceTable,
  type SettingName,
} from '#local/configuration/service-table.ts';
import { authorizationOfServices, natsPassword } from '#nats/authorization.ts';
import { DATABASE_SERVICES } from '#postgres/roles.ts';
import { settingOf } from '#platform/configuration/settings.ts';
import {
  clickhouseUsersFile,
  databasePassword,
  envFile,
  keptSecrets,
  storeSettings,
  type StorePlaces,
} from '../secrets/kept-secrets.ts';
import { ensureCa, makeCertificate } from '../tls/certificates.ts';
import { PROCESSES } from '../tls/processes.ts';

const ALL_HOSTS = 'saring';
const CERTIFICATE_DAYS = 365;
/** The first ports for gRPC and for operations. */
const FIRST_PORT = { grpc: 5001, ops: 9101 };
const [target, ...hosts] = process.argv.slice(2);
if (!target || hosts.length === 0) {
  console.error(
    'Name the folder and the hosts: node_modules/.bin/node deploy/systemd/prepare.ts /etc/saring saring-1 saring-2 saring-3',
  );
  process.exit(64);
}
const folder = path.resolve(target);
mkdirSync(folder, { recursive: true, mode: 0o700 });
const write = (name: string, content: string) =>
  writeFileSync(path.join(folder, name), content, { mode: 0o600 });

const secrets = keptSecrets(path.join(folder, 'secrets.env'));
const ca = path.join(folder, 'ca');
const tls = path.join(folder, 'tls');
for (const one of [ca, tls]) mkdirSync(one, { recursive: true, mode: 0o700 });
// Earlier versions kept the certificate authority beside the keys of the services.
if (existsSync(path.join(tls, 'ca.key')))
  for (const file of ['ca.key', 'ca.crt']) renameSync(path.join(tls, file), path.join(ca, file));
ensureCa(ca, CERTIFICATE_DAYS * 10);
copyFileSync(path.join(ca, 'ca.crt'), path.join(tls, 'ca.crt'));
chmodSync(path.join(tls, 'ca.crt'), 0o644);
for (const name of PROCESSES) {
  makeCertificate(ca, name, [ALL_HOSTS, ...hosts], CERTIFICATE_DAYS);
  // The group of the folder is that of the services. Nobody but root needs the operator's key.
  for (const [suffix, mode] of Object.entries({ key: name === 'operator' ? 0o600 : 0o640, crt: 0o644 })) {
    const made = path.join(ca, `${name}.${suffix}`);
    chmodSync(made, mode);
    renameSync(made, path.join(tls, `${name}.${suffix}`));
  }
}
chmodSync(tls, 0o750);
const certificateOf = (name: string) => ({
  GRPC_TLS_CA: path.join(tls, 'ca.crt'),
  GRPC_TLS_CERT: path.join(tls, `${name}.crt`),
  GRPC_TLS_KEY: path.join(tls, `${name}.key`),
});

const stores: StorePlaces = {
  natsServers: hosts,
  postgres: hosts[0]!,
  clickhouse: hosts.at(-1)!,
  reference: (secret) => secrets[secret]!,
};
const table = serviceTable({ workers: 1 });
const offsetOf = (process: string) => table.find(({ service }) => service === process)!.portOffset;
const addresses = addressSettings(
  addressesBy((process) => `${ALL_HOSTS}:${FIRST_PORT.grpc + offsetOf(process)}`),
);
for (const { service, entry, serves, settings, portOffset } of table) {
  const known: Partial<Record<SettingName, string | undefined>> = {
    ...addresses,
    OPERATOR_TOKEN: secrets['OPERATOR_TOKEN']!,
    ...Object.fromEntries(SERVICE_SECRETS.map((name) => [name, secrets[name]!])),
    ...storeSettings(service, stores).urls,
    // In the cache folder that systemd gives the unit.
    CACHE_DIR: `/var/cache/saring/${service}/market`,
  };
  const own = settings.flatMap((name) => (known[name] === undefined ? [] : [[name, known[name]]]));
  const settingsFile = {
    ENTRY: entry,
    ...(serves === 'grpc' ? { GRPC_HOST: '0.0.0.0', GRPC_PORT: String(FIRST_PORT.grpc + portOffset) } : {}),
    OPS_PORT: String(FIRST_PORT.ops + portOffset),
    ...certificateOf(service),
    ...(Object.fromEntries(own) as Record<string, string>),
  };
  write(`${service}.env`, envFile(settingsFile));
}
write('units', table.map(({ service }) => `saring@${service}\n`).join(''));
write('common.env', envFile({ STREAM_REPLICAS: hosts.length < 3 ? '1' : '3' }));
const { OPERATOR_TOKEN: SARING_OPERATOR_TOKEN } = secrets;
write(
  'operator.env',
  envFile({ SARING_OPERATOR_TOKEN: SARING_OPERATOR_TOKEN!, ...certificateOf('operator'), ...addresses }),
);
const rolePasswords = DATABASE_SERVICES.map((service) => [
  settingOf(service, 'PASSWORD'),
  secrets[databasePassword(service)]!,
]);
const asSuperuser = `postgres://postgres:${secrets['POSTGRES_PASSWORD']}@${hosts[0]}/saring`;
write(
  'migrate.env',
  envFile({ DATABASE_URL: asSuperuser, ...(Object.fromEntries(rolePasswords) as object) }),
);

write(
  'nats-users.conf',
  authorizationOfServices((service) => JSON.stringify(secrets[natsPassword(service)])),
);
for (const host of hosts) write(`nats-${host}.conf`, natsConfig(host));
write('clickhouse-users.xml', clickhouseUsersFile(secrets));
copyFileSync(
  path.join(import.meta.dirname, '../compose/clickhouse.xml'),
  path.join(folder, 'clickhouse.xml'),
);
console.log(`Settings of ${hosts.length} machines in ${folder}: copy it to each. It holds every secret.`);

/** JetStream acknowledges before it syncs, and syncs every two minutes by default. A full result is sent in one message. */
function natsConfig(host: string): string {
  const routes = hosts.map((other) => `nats-route://${other}:6222`).join(', ');
  return `server_name: ${host}
listen: 0.0.0.0:4222
jetstream { store_dir: /var/lib/nats, max_memory_store: 1GB, sync_interval: always }
max_payload: 8MB
${hosts.length < 2 ? '' : `cluster { name: saring, listen: 0.0.0.0:6222, routes: [${routes}] }\n`}include ./nats-users.conf
`;
}
