import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { identify, isAlive } from './process-identity.ts';
import { StateLock } from './state-lock.ts';

let dir: string;
let place: string;

beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'saring-lock-'));
  place = path.join(dir, 'lock');
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function leaveRecord(text: string): void {
  mkdirSync(place);
  writeFileSync(path.join(place, 'left-behind.json'), text);
}

function leaveLock(supervisor: object, children: object = {}): void {
  leaveRecord(JSON.stringify({ supervisor, children }));
}

/** A program that takes the lock, reports the result, and keeps running. */
function taker(): string {
  const script = path.join(dir, 'taker.ts');
  const source = path.join(import.meta.dirname, 'state-lock.ts');
  writeFileSync(
    script,
    `import { StateLock } from ${JSON.stringify(source)};
     const answer = await StateLock.take(${JSON.stringify(place)}).then(() => 'taken', () => 'refused');
     console.log(answer);
     setInterval(() => {}, 1000);`,
  );
  return script;
}

describe('the lock of the state directory', () => {
  test('refuses a second fleet and names the process of the first', async () => {
    const lock = await StateLock.take(place);
    await expect(StateLock.take(place)).rejects.toThrow(`Another fleet (process ${process.pid})`);
    lock.release();
    expect(existsSync(place)).toBe(false);
  });

  test('is taken over from a supervisor that has ended', async () => {
    const gone = spawn(process.execPath, ['-e', '']);
    await once(gone, 'exit');
    leaveLock({ pid: gone.pid, started: '1' });
    await expect(StateLock.take(place)).resolves.toBeInstanceOf(StateLock);
  });

  test('is taken over if another process now has the supervisor’s process id', async () => {
    leaveLock({ ...identify(process.pid), started: '1' });
    await expect(StateLock.take(place)).resolves.toBeInstanceOf(StateLock);
  });

  test('is taken over if it holds no readable record', async () => {
    leaveRecord('{"supervisor":');
    await expect(StateLock.take(place)).resolves.toBeInstanceOf(StateLock);
  });

  test('is taken over only after the remaining children have ended', async () => {
    const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 700)']);
    const identity = identify(child.pid!);
    leaveLock({ pid: child.pid, started: '1' }, { nats: identity });
    expect(isAlive(identity)).toBe(true);
    await StateLock.take(place);
    expect(isAlive(identity)).toBe(false);
  });

  test('goes to exactly one of several waiters in one process', async () => {
    const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 500)']);
    leaveLock({ pid: child.pid, started: '1' }, { nats: identify(child.pid!) });
    const takes = await Promise.allSettled(Array.from({ length: 5 }, () => StateLock.take(place)));
    expect(takes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(readdirSync(place)).toHaveLength(1);
    expect(readdirSync(dir)).toEqual(['lock']);
  });

  test('goes to exactly one of several processes that take it over at the same time', async () => {
    const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 1500)']);
    leaveLock({ pid: child.pid, started: '1' }, { nats: identify(child.pid!) });
    const takers = Array.from({ length: 3 }, () => spawn(process.execPath, [taker()]));
    const responses = await Promise.all(
      takers.map(async ({ stdout }) => String((await once(stdout, 'data'))[0]).trim()),
    );
    takers.forEach((process) => process.kill());
    expect(responses.toSorted()).toEqual(['refused', 'refused', 'taken']);
  });

  test('is no longer waited for after a stop request', async () => {
    leaveLock({ pid: process.pid, started: '1' }, { nats: identify(process.pid) });
    await expect(StateLock.take(place, AbortSignal.timeout(100))).rejects.toThrow('aborted');
    expect(readdirSync(dir)).toEqual(['lock']);
  });

  test('is not rewritten by a child that ends after the release', async () => {
    const lock = await StateLock.take(place);
    lock.note('nats', process.pid);
    lock.release();
    lock.note('nats', undefined);
    expect(existsSync(place)).toBe(false);
  });
});
