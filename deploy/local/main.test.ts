import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { freePort } from './state/ports.ts';
import { identify, isAlive } from './state/process-identity.ts';

let stateDir: string;
let leftover: ChildProcess;
let starting: ChildProcess;

beforeEach(() => {
  stateDir = mkdtempSync(path.join(tmpdir(), 'saring-main-'));
  leftover = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
});
afterEach(() => {
  starting.kill('SIGKILL');
  leftover.kill('SIGKILL');
  rmSync(stateDir, { recursive: true, force: true });
});

test('Ctrl-C during the wait for processes of a killed fleet ends the start at once without an error', async () => {
  const lock = path.join(stateDir, 'lock');
  mkdirSync(lock);
  const children = { nats: identify(leftover.pid!) };
  writeFileSync(
    path.join(lock, 'killed.json'),
    JSON.stringify({ supervisor: { pid: leftover.pid, started: '1' }, children }),
  );
  starting = spawn(process.execPath, [path.join(import.meta.dirname, 'main.ts')], {
    env: { ...process.env, STATE_DIR: stateDir, PORT: String(await freePort()) },
  });
  let said = '';
  starting.stderr!.on('data', (text: Buffer) => (said += text.toString()));
  const [waiting] = (await once(starting.stdout!, 'data')) as [Buffer];
  expect(waiting.toString()).toContain('waiting for the processes of an earlier fleet to end');

  starting.kill('SIGINT');
  expect(await once(starting, 'exit')).toEqual([0, null]);
  expect(said).toBe('');
  expect(isAlive(children.nats)).toBe(true);
});
