/**
 * Creates a development CA and a certificate for every process, for mutual TLS between them. Run it again to renew the
 * certificates; running processes use the new ones within five seconds. In production use your own CA instead.
 *
 *   node_modules/.bin/node deploy/tls/make-certificates.ts FOLDER [host …]     # further host names that every certificate is valid for
 *
 * Then give each process GRPC_TLS_CA=FOLDER/ca.crt, GRPC_TLS_CERT=FOLDER/<name>.crt and GRPC_TLS_KEY=FOLDER/<name>.key.
 */
import { ensureCa, makeCertificate } from './certificates.ts';
import { PROCESSES } from './processes.ts';

const CA_DAYS = 3_650;
const CERTIFICATE_DAYS = 90;

const [folder, ...hosts] = process.argv.slice(2);
if (!folder) {
  console.error('Name the folder: node_modules/.bin/node deploy/tls/make-certificates.ts FOLDER [host …]');
  process.exit(64);
}
try {
  ensureCa(folder, CA_DAYS);
  for (const name of PROCESSES) makeCertificate(folder, name, ['localhost', ...hosts], CERTIFICATE_DAYS);
  console.log(`${PROCESSES.length} certificates in ${folder}, valid for ${CERTIFICATE_DAYS} days.`);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
