import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import path from 'node:path';
import { OTHER_NAMES } from './processes.ts';

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

/** Creates the CA of a folder, `ca.crt` and `ca.key`, unless it exists. Needs `openssl`. */
export function ensureCa(folder: string, days: number): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const [key, cert] = [path.join(folder, 'ca.key'), path.join(folder, 'ca.crt')];
  if (existsSync(key) && existsSync(cert)) return;
  const subject = ['-subj', '/CN=Saring development CA', '-days', String(days)];
  openssl('req', '-x509', ...NEW_KEY, ...subject, '-keyout', key, '-out', cert);
}

/**
 * Creates `<name>.crt` and `<name>.key`, signed by the folder's CA, and replaces existing files. The name is the CN, by which
 * services identify their callers. It is also a DNS name of the certificate, like its other names and the hosts.
 */
export function makeCertificate(folder: string, name: string, hosts: readonly string[], days: number): void {
  const file = (suffix: string) => path.join(folder, `${name}.${suffix}`);
  const names = [name, ...(OTHER_NAMES[name] ?? []), ...hosts].map((host) => `DNS:${host}`).join();
  openssl(
    'req',
    '-x509',
    ...NEW_KEY,
    ...['-CA', path.join(folder, 'ca.crt'), '-CAkey', path.join(folder, 'ca.key')],
    ...['-subj', `/CN=${name}`, '-days', String(days)],
    ...['-addext', `subjectAltName=${names},IP:127.0.0.1`],
    ...['-addext', 'basicConstraints=critical,CA:FALSE'],
    ...['-keyout', file('key.new'), '-out', file('crt.new')],
  );
  // A concurrent reader sees the old pair or the new one, except for an instant.
  renameSync(file('key.new'), file('key'));
  renameSync(file('crt.new'), file('crt'));
}

function openssl(...args: string[]): void {
  try {
    execFileSync('openssl', args, { stdio: 'pipe' });
  } catch (error) {
    const { code, stderr } = error as NodeJS.ErrnoException & { stderr?: Buffer };
    throw new Error(code === 'ENOENT' ? 'openssl is not installed' : `openssl failed: ${String(stderr)}`, {
      cause: error,
    });
  }
}
