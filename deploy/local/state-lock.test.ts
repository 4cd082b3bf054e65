import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { identify, isAlive } from './process-identity.ts';
import { StateLock } from './state-lock.ts';

let dir: string;
let file: string;

beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'saring-lock-'));
  file = path.join(dir, 'fleet.lock');
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function leaveLock(supervisor: object, children: object = {}): void {
  writeFileSync(file, JSON.stringify({ supervisor, children }));
}

describe('the lock of the state directory', () => {
  test('refuses a second fleet and names the process of the first one', async () => {
    const lock = await StateLock.take(file);
    await expect(StateLock.take(file)).rejects.toThrow(`Another fleet (process ${process.pid})`);
    lock.release();
    expect(existsSync(file)).toBe(false);
  });

  test('of a supervisor that is gone is taken over', async () => {
    const gone = spawn(process.execPath, ['-e', '']);
    await once(gone, 'exit');
    leaveLock({ pid: gone.pid, started: '1' });
    await expect(StateLock.take(file)).resolves.toBeInstanceOf(StateLock);
  });

  test('of a supervisor whose process id is somebody else’s by now is taken over', async () => {
    leaveLock({ ...identify(process.pid), started: '1' });
    await expect(StateLock.take(file)).resolves.toBeInstanceOf(StateLock);
  });

  test('that holds no readable record is taken over', async () => {
    writeFileSync(file, '{"supervisor":');
    await expect(StateLock.take(file)).resolves.toBeInstanceOf(StateLock);
  });

  test('is taken over only when the children left behind have ended', async () => {
    const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 700)']);
    const identity = identify(child.pid!);
    leaveLock({ pid: child.pid, started: '1' }, { nats: identity });
    expect(isAlive(identity)).toBe(true);
    await StateLock.take(file);
    expect(isAlive(identity)).toBe(false);
  });

  test('is not written again by a child that ends after the release', async () => {
    const lock = await StateLock.take(file);
    lock.note('nats', process.pid);
    lock.release();
    lock.note('nats', undefined);
    expect(existsSync(file)).toBe(false);
  });
});
