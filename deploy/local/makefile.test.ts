import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { HANGS_AFTER_MS, IN_TIME } from '#support/hangs.ts';
import { PROJECT_ROOT } from './processes/service-process.ts';
import { identify, isAlive } from './state/process-identity.ts';
import { StateLock } from './state/state-lock.ts';

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'saring-make-'));
  copyFileSync(path.join(PROJECT_ROOT, 'Makefile'), path.join(dir, 'Makefile'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** Runs make in another folder, as if everything were installed and generated. */
function make(...args: string[]) {
  const { MAKEFLAGS: _flags, MAKELEVEL: _level, ...env } = process.env;
  const made = [
    'node_modules/.package-lock.json',
    'proto/gen/descriptor-without-comments.binpb',
    'clients/typescript/gen/api.ts',
    'clients/typescript/gen/calls.ts',
  ];
  const ready = made.flatMap((file) => ['-o', file]);
  return spawnSync('make', [...ready, ...args], { cwd: dir, env, encoding: 'utf8', timeout: HANGS_AFTER_MS });
}

describe('make clean', () => {
  const state = () => path.join(dir, '.saring');
  beforeEach(() => mkdirSync(state()));

  test('changes nothing while a fleet runs from .saring', async () => {
    const lock = await StateLock.take(path.join(state(), 'lock'));
    lock.note('nats', process.pid);
    const { status, stderr } = make('clean');
    expect(status).not.toBe(0);
    expect(stderr).toContain(`A fleet (process ${process.pid}) runs from .saring: stop it first.`);
    expect(existsSync(state())).toBe(true);
    lock.release();
    expect(make('clean').status).toBe(0);
    expect(existsSync(state())).toBe(false);
  });

  test.for([
    ['is gone', async () => ({ pid: await deadPid(), started: '1' })],
    ['has its process id taken by somebody else', async () => ({ pid: process.pid, started: '1' })],
  ] as const)('removes the state of a fleet that %s', async ([, supervisor]) => {
    mkdirSync(path.join(state(), 'lock'));
    const record = { supervisor: await supervisor(), children: {} };
    writeFileSync(path.join(state(), 'lock', 'killed.json'), JSON.stringify(record));
    expect(make('clean').status).toBe(0);
    expect(existsSync(state())).toBe(false);
  });
});

test.for(['run', 'bench', 'load', 'evaluate'])(
  'make %s with a Node too old for TypeScript fails with one sentence',
  (target) => {
    const oldNode = path.join(dir, 'old-node');
    const script = `#!/bin/sh\nexec ${process.execPath} --no-strip-types "$@"\n`;
    writeFileSync(oldNode, script, { mode: 0o755 });
    const { status, stdout, stderr } = make(target, `NODE=${oldNode}`);
    expect(status).not.toBe(0);
    expect(stderr).toMatch(
      /^Saring needs Node 22\.18 or newer, and this is v[\d.]+: install a newer one\.\nmake: /,
    );
    expect(stderr.trim().split('\n')).toHaveLength(2);
    expect(stdout).toBe('');
  },
);

test('make bundles the programs of a fleet again when a source is newer', () => {
  const write = (file: string, at: Date) => {
    mkdirSync(path.dirname(path.join(dir, file)), { recursive: true });
    writeFileSync(path.join(dir, file), '');
    utimesSync(path.join(dir, file), at, at);
  };
  write('services/keys/service.ts', new Date(1_000));
  write('build/services.js', new Date(2_000));
  const bundles = () => make('build', '--dry-run').stdout.includes('deploy/bundle/main.ts');
  expect(bundles()).toBe(false);
  for (const made of ['gen/api.ts', 'dist/index.d.ts'])
    write(path.join('clients/typescript', made), new Date(3_000));
  expect(bundles()).toBe(false);
  write('services/keys/service.ts', new Date(3_000));
  expect(bundles()).toBe(true);
});

test('make test checks types, style, formatting and protobuf rules before it runs the tests', () => {
  const { stdout } = make('test', '--dry-run');
  const tests = stdout.indexOf('vitest/vitest.mjs');
  for (const check of ['oxlint/bin', 'oxfmt/bin', 'buf lint', 'buf breaking']) {
    expect(stdout.indexOf(check), check).toBeGreaterThan(-1);
    expect(stdout.indexOf(check), check).toBeLessThan(tests);
  }
});

describe('the installation of packages', () => {
  const stamp = 'node_modules/.package-lock.json';
  const said = () => readFileSync(path.join(dir, 'npm.log'), 'utf8').trim().split('\n');
  const running = new Set<number>();
  beforeEach(() => {
    cpSync(path.join(PROJECT_ROOT, 'deploy/install'), path.join(dir, 'deploy/install'), { recursive: true });
    for (const file of ['package.json', 'package-lock.json', '.npmrc', 'npm.log'])
      writeFileSync(path.join(dir, file), '');
  });
  afterEach(() => {
    for (const pid of running) process.kill(-pid, 'SIGKILL');
    running.clear();
  });

  /** An npm that empties the folder, installs slowly and writes its stamp last, as npm does. */
  function npmThat(installs: string) {
    mkdirSync(path.join(dir, 'bin'), { recursive: true });
    const script = `#!/bin/sh
echo began $$ >> npm.log; rm -rf node_modules; mkdir -p node_modules/.bin
${installs}
touch node_modules/.bin/buf ${stamp}; echo ended >> npm.log\n`;
    writeFileSync(path.join(dir, 'bin/npm'), script, { mode: 0o755 });
  }

  /** Make in a process group of its own, as a terminal starts it. */
  function install() {
    const { MAKEFLAGS: _flags, MAKELEVEL: _level, ...env } = process.env;
    env['PATH'] = `${path.join(dir, 'bin')}:${env['PATH']}`;
    const made = spawn('make', [stamp], { cwd: dir, env, detached: true, stdio: 'ignore' });
    running.add(made.pid!);
    const ended = once(made, 'exit').then(([code]) => (running.delete(made.pid!), code as number));
    return { made, ended };
  }

  test('ends with make on Ctrl-C, leaves nothing that is trusted, and then succeeds', async () => {
    npmThat('sleep 600');
    const { made, ended } = install();
    await vi.waitFor(() => expect(said()[0]).toMatch(/^began/), IN_TIME);
    const npm = identify(Number(said()[0]!.split(' ')[1]));
    process.kill(-made.pid!, 'SIGINT');
    expect(await ended).not.toBe(0);
    expect(isAlive(npm)).toBe(false);
    expect(existsSync(path.join(dir, stamp))).toBe(false);
    npmThat('');
    expect(await install().ended).toBe(0);
    expect(existsSync(path.join(dir, stamp))).toBe(true);
  });

  test('happens once when two begin at the same time', async () => {
    npmThat('sleep 1');
    expect(await Promise.all([install().ended, install().ended])).toEqual([0, 0]);
    expect(said()).toEqual([expect.stringMatching(/^began/), 'ended']);
  });

  test('that fails leaves no stamp', async () => {
    npmThat(`touch ${stamp}; exit 1`);
    expect(await install().ended).not.toBe(0);
    expect(existsSync(path.join(dir, stamp))).toBe(false);
  });

  test('is repeated where nothing but the stamp is left', async () => {
    npmThat('');
    mkdirSync(path.join(dir, 'node_modules'));
    writeFileSync(path.join(dir, stamp), '');
    expect(await install().ended).toBe(0);
    expect(said()).toHaveLength(2);
    expect(await install().ended).toBe(0);
    expect(said()).toHaveLength(2);
  });
});

async function deadPid(): Promise<number> {
  const gone = spawn(process.execPath, ['-e', '']);
  await once(gone, 'exit');
  return gone.pid!;
}
