import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseEnv, promisify } from 'node:util';
import { parse } from 'yaml';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findOnPath } from '#local/processes/find-on-path.ts';
import { REPOSITORY } from '#support/repository.ts';
import { needing } from '#support/needing.ts';
import { PROCESSES } from '#tls/processes.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'saring-prepared-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** Runs a script of `deploy/` under a umask. */
async function prepare(script: string, umask: string, ...args: string[]): Promise<void> {
  const command = 'umask "$0"; exec "$@"';
  const entry = path.join(REPOSITORY, 'deploy', script);
  await promisify(execFile)('sh', ['-c', command, umask, process.execPath, entry, ...args]);
}

const read = (file: string) => readFile(path.join(folder, file), 'utf8');

/** The mode of each file and folder below this one in octal digits, by path. */
async function modes(below: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const name of await readdir(path.join(folder, below), { recursive: true }))
    found[name] = ((await stat(path.join(folder, below, name))).mode & 0o777).toString(8);
  return found;
}

describe('deploy/compose/prepare.ts', needing('openssl', findOnPath('openssl') !== undefined), async () => {
  const composeFile = await readFile(path.join(REPOSITORY, 'deploy/compose/compose.yaml'), 'utf8');
  const { services } = parse(composeFile, { merge: true }) as {
    services: Record<string, { volumes?: string[] }>;
  };
  const containers = new Set(
    Object.values(services).flatMap(({ volumes = [] }) =>
      volumes.flatMap((volume) => /^\.\/secrets\/tls\/([\w-]+):/.exec(volume)?.[1] ?? []),
    ),
  );

  test.each(['022', '077'])(
    'with umask %s each container can read its own key, and no user of the machine can reach any',
    async (umask) => {
      await writeFile(path.join(folder, '.env'), 'OPERATOR_API=on\n', { mode: 0o644 });
      await mkdir(path.join(folder, 'secrets/tls'), { recursive: true, mode: 0o755 });
      // As an earlier version left it.
      await writeFile(path.join(folder, 'secrets/tls/keys.key'), 'read by all', { mode: 0o644 });
      await prepare('compose/prepare.ts', umask, folder);
      const readByContainer = '644';
      const expected = Object.fromEntries([
        ...[...containers].flatMap((name) => [
          [`tls/${name}`, '755'],
          ...['ca.crt', `${name}.crt`, `${name}.key`].map((file) => [`tls/${name}/${file}`, readByContainer]),
        ]),
        ['tls/proxy/proxy.pem', readByContainer],
        ['clickhouse-users.xml', readByContainer],
        ['nats-users.conf', readByContainer],
        ['tls', '700'],
        ['tls/ca.key', '600'],
      ]) as Record<string, string>;
      const { 'tls/ca.crt': _, ...found } = await modes('secrets');
      expect(found).toEqual(expected);
      const { '.env': environment, secrets } = await modes('');
      expect([environment, secrets]).toEqual(['600', '700']);
      expect(await read('.env')).toMatch(/^OPERATOR_API=on\n/);
    },
  );

  test('a second run keeps the secrets and the certificate authority, and renews certificates', async () => {
    const prepared = async () => {
      await prepare('compose/prepare.ts', '022', folder);
      const files = ['.env', 'secrets/tls/ca.crt', 'secrets/tls/keys/keys.crt'];
      return Promise.all(files.map(read));
    };
    const [environment, ca, certificate] = await prepared();
    const [environmentAgain, caAgain, renewed] = await prepared();
    expect([parseEnv(environmentAgain!), caAgain]).toEqual([parseEnv(environment!), ca]);
    expect(renewed).not.toBe(certificate);
    expect(new X509Certificate(renewed!).checkIssued(new X509Certificate(ca!))).toBe(true);
  });
});

describe('deploy/systemd/prepare.ts', needing('openssl', findOnPath('openssl') !== undefined), () => {
  const prepareMachines = () => prepare('systemd/prepare.ts', '022', folder, 'saring-1', 'saring-2');

  test('services can read their keys, only root the operator’s, and the certificate authority is elsewhere', async () => {
    await prepareMachines();
    const expected = PROCESSES.flatMap((name) => [
      [`${name}.crt`, '644'],
      [`${name}.key`, name === 'operator' ? '600' : '640'],
    ]);
    expect(await modes('tls')).toEqual({ 'ca.crt': '644', ...Object.fromEntries(expected) });
    const { 'ca.key': key, ...others } = await modes('ca');
    expect([key, Object.keys(others)]).toEqual(['600', ['ca.crt']]);
    const { ca, tls, ...files } = await modes('');
    expect([ca, tls]).toEqual(['700', '750']);
    const settings = Object.entries(files).filter(([name]) => name.endsWith('.env'));
    expect([...new Set(settings.map(([, mode]) => mode))]).toEqual(['600']);
  });

  test('a certificate authority that an earlier version put beside the keys moves and stays', async () => {
    await prepareMachines();
    const ca = await read('ca/ca.crt');
    for (const file of ['ca.key', 'ca.crt'])
      await rename(path.join(folder, 'ca', file), path.join(folder, 'tls', file));
    await chmod(path.join(folder, 'tls'), 0o700);
    await prepareMachines();
    expect([await read('ca/ca.crt'), await read('tls/ca.crt')]).toEqual([ca, ca]);
    expect(Object.keys(await modes('tls'))).not.toContain('ca.key');
  });

  test('the guide copies no certificate authority, and gives services no file to change', async () => {
    const guide = await readFile(path.join(REPOSITORY, 'docs/operations.md'), 'utf8');
    expect(guide).toContain('rsync -a --exclude /ca/ /etc/saring/ ');
    expect(guide.match(/^ch(own|grp|mod) .*$/gm)).toEqual([
      'chmod 711 /etc/saring',
      'chown -R root:saring /etc/saring/tls',
    ]);
  });
});
