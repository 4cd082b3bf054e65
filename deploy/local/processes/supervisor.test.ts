import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ProcessSpec } from './launch.ts';
import { identify, isAlive } from '../state/process-identity.ts';
import { nextPauseMs, Supervisor } from './supervisor.ts';
import { IN_TIME } from '#support/hangs.ts';

const ENDLESS = 'setInterval(() => {}, 1000)';

let dir: string;
let said: string[];
let pids: (number | undefined)[];
let supervisor: Supervisor | undefined;

/** A fake for a service: Node running the script, ready immediately. */
function fake(script: string, changes: Partial<ProcessSpec> = {}): ProcessSpec {
  return {
    name: 'stand-in',
    title: 'the stand-in',
    command: process.execPath,
    args: ['-e', script],
    env: process.env,
    logFile: path.join(dir, 'stand-in.log'),
    ipc: true,
    stopSignal: 'SIGTERM',
    parentDeathSignal: 'TERM',
    probe: async () => {},
    readyWithinMs: 5_000,
    ...changes,
  };
}

function supervise(spec: ProcessSpec): Supervisor {
  const pidChanged = (_: string, pid: number | undefined) => void pids.push(pid);
  const say = (sentence: string) => void said.push(sentence);
  return (supervisor = new Supervisor(spec, { ended: say, back: say, hindered: say, pidChanged }));
}

beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'saring-supervisor-'));
  [said, pids] = [[], []];
});
afterEach(async () => {
  await supervisor?.stop();
  rmSync(dir, { recursive: true, force: true });
});

describe('a supervised process', () => {
  test('restarts after a crash, and the supervisor reports how it ended and when it is back', async () => {
    await supervise(fake(ENDLESS)).start();
    process.kill(pids[0]!, 'SIGKILL');
    await vi.waitFor(() => expect(said).toContain('the stand-in is back.'), IN_TIME);
    expect(said[0]).toBe('the stand-in was terminated by SIGKILL; it restarts in 0.25 s.');
    expect(pids).toEqual([expect.any(Number), undefined, expect.any(Number)]);
  });

  test('that freezes is killed with all its children and restarted', async () => {
    const child = path.join(dir, 'child');
    const script = `const { pid } = require('child_process').spawn('sleep', ['60']);
      require('fs').writeFileSync(${JSON.stringify(child)}, String(pid)); ${ENDLESS}`;
    const responses = () => {
      const state = readFileSync(`/proc/${pids.at(-1)}/stat`, 'utf8')
        .split(') ')[1]!
        .charAt(0);
      return state === 'T' ? Promise.reject(new Error('stopped')) : Promise.resolve();
    };
    const probe = { failing: 'did not answer', attempt: responses, pauseMs: 50, allowanceMs: 1_000 };
    await supervise(fake(script, { liveness: [probe] })).start();
    await vi.waitFor(() => expect(readFileSync(child, 'utf8')).not.toBe(''), IN_TIME);
    const family = [pids[0]!, Number(readFileSync(child, 'utf8'))].map(identify);
    for (const { pid } of family) process.kill(pid, 'SIGSTOP');
    await vi.waitFor(() => expect(said).toContain('the stand-in is back.'), IN_TIME);
    expect(said[0]).toBe('the stand-in did not answer for 1 s and was killed; it restarts in 0.25 s.');
    expect(family.filter(isAlive)).toEqual([]);
  });

  test('that crashes repeatedly is restarted after longer and longer pauses', async () => {
    const crashing = path.join(dir, 'crashing');
    const script = `${ENDLESS}; if (require('fs').existsSync(${JSON.stringify(crashing)})) process.exit(3)`;
    await supervise(fake(script, { probe: () => sleep(50) })).start();
    writeFileSync(crashing, '');
    process.kill(pids[0]!, 'SIGKILL');
    await vi.waitFor(
      () => expect(said.filter((line) => line.includes('restarts in'))).toHaveLength(3),
      IN_TIME,
    );
    expect(said.filter((line) => line.includes('restarts in')).slice(1)).toEqual([
      'the stand-in ended with exit code 3; it restarts in 0.5 s.',
      'the stand-in ended with exit code 3; it restarts in 1 s.',
    ]);
  });

  test('that fails its first start is not restarted, and its last output is reported', async () => {
    const failing = fake('console.error("DATABASE_URL is not set"); process.exit(78)', {
      probe: () => Promise.reject(new Error('no answer')),
    });
    await expect(supervise(failing).start()).rejects.toThrow(
      /ended with exit code 78 while starting\.[^]*DATABASE_URL is not set[^]*stand-in\.log/,
    );
    expect(said).toEqual([]);
  });

  test('that says why it cannot start is quoted in full before the rest of its log', async () => {
    const reason = 'saring feed cannot start: the file has mistakes:\n  line 3\n  line 4';
    const later = Array.from({ length: 30 }, (_, line) => `console.error('{"msg":"stopping ${line}"}')`);
    const failing = fake(`console.error(${JSON.stringify(reason)}); ${later.join('; ')}; process.exit(1)`, {
      probe: () => Promise.reject(new Error('no answer')),
    });
    const failure = (await supervise(failing)
      .start()
      .catch((error: unknown) => error)) as Error;
    expect(failure.message).toContain(`while starting.\n${reason}\nIts last lines:\n`);
  });

  test('that never becomes ready is ended, and its last answer is reported', async () => {
    const silent = fake(ENDLESS, {
      probe: () => Promise.reject(new Error('says 503')),
      readyWithinMs: 200,
    });
    await expect(supervise(silent).start()).rejects.toThrow('was not ready within 0.2 s (says 503)');
    expect(pids.at(-1)).toBeUndefined();
  });

  test('stays stopped after a stop during the pause before a restart', async () => {
    await supervise(fake(ENDLESS)).start();
    process.kill(pids[0]!, 'SIGKILL');
    await vi.waitFor(() => expect(said).toHaveLength(1), IN_TIME);
    await supervisor!.stop();
    await sleep(400);
    expect(pids).toHaveLength(2);
  });

  test('runs in its own process group, so that terminal signals do not reach it', async () => {
    await supervise(fake(ENDLESS)).start();
    const groupOf = (pid: number) => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')[2];
    expect(groupOf(pids[0]!)).not.toBe(groupOf(process.pid));
  });
});

test('a child that ignores its parent does not outlive a killed supervisor', async () => {
  const script = path.join(dir, 'parent.ts');
  const deaf = fake(ENDLESS, { ipc: false });
  writeFileSync(
    script,
    `import { launch } from ${JSON.stringify(path.join(import.meta.dirname, 'launch.ts'))};
     const child = await launch({ ...${JSON.stringify(deaf)}, probe: async () => {} });
     console.log(child.pid);
     ${ENDLESS};`,
  );
  const parent = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(parent.stdout, 'data')) as [Buffer];
  await sleep(100);
  const child = identify(Number(line.toString()));
  expect(isAlive(child)).toBe(true);
  parent.kill('SIGKILL');
  await vi.waitFor(() => expect(isAlive(child)).toBe(false), IN_TIME);
});

test('restart pauses double from 250 ms to 10 s and reset after 30 s of life', () => {
  const pauses: number[] = [];
  for (let crash = 0; crash < 8; crash++) pauses.push(nextPauseMs(pauses.at(-1), 100));
  expect(pauses).toEqual([250, 500, 1000, 2000, 4000, 8000, 10_000, 10_000]);
  expect(nextPauseMs(10_000, 30_000)).toBe(250);
});
