import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { LogFile, type LogFileOptions } from './log-file.ts';
import { HANGS_AFTER_MS, IN_TIME } from '#support/hangs.ts';
import { needing, ROOT } from '#support/needing.ts';

let dir: string;
let file: string;

beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'saring-log-'));
  file = path.join(dir, 'logs', 'x.log');
});
// A log file is closed once the last stream that it follows is.
const streams: PassThrough[] = [];
afterEach(() => {
  for (const stream of streams.splice(0)) stream.destroy();
  rmSync(dir, { recursive: true, force: true });
});

function printing(options: LogFileOptions = {}) {
  const [log, stdout, stderr] = [new LogFile(file, options), new PassThrough(), new PassThrough()];
  streams.push(stdout, stderr);
  return { log, stdout, stderr, output: log.follow([stdout, stderr]) };
}

const content = () => readFileSync(file, 'utf8');

describe('the log of a process', () => {
  test('holds every line whole, even from two streams, and reports only the last lines of this start', async () => {
    mkdirSync(path.dirname(file));
    writeFileSync(file, 'an earlier start\n');
    const { log, stdout, stderr, output } = printing();
    stdout.write('one\ntw');
    stderr.write('thr');
    stdout.end('o\n\n');
    stderr.end('ee');
    await output.ended;
    await log.flush(HANGS_AFTER_MS);
    expect(content().split('\n').filter(Boolean).toSorted()).toEqual(
      ['an earlier start', 'one', 'two', 'three'].toSorted(),
    );
    expect(output.lastLines(2)).toEqual(['two', 'three']);
    expect(output.lastLines(9)).toHaveLength(3);
  });

  test('never exceeds twice its size limit, over any number of restarts', async () => {
    for (let life = 0; life < 3; life++) {
      const { log, stdout } = printing({ ceilingBytes: 10_000 });
      for (let line = 0; line < 100; line++) {
        stdout.write(`${'x'.repeat(399)}\n`);
        await log.flush(HANGS_AFTER_MS);
      }
      expect(statSync(file).size).toBeLessThanOrEqual(10_000);
      expect(statSync(`${file}.1`).size).toBeLessThanOrEqual(10_000);
    }
  });

  test('resumes after a failed disk with the oldest lines and the number of dropped ones', async () => {
    writeFileSync(path.dirname(file), 'where the directory should be');
    const { stdout, output } = printing({ pendingCeilingBytes: 1_000, retryMs: 20 });
    for (let line = 0; line < 100; line++) {
      stdout.write(`${String(line).padStart(99)}\n`);
      await new Promise(setImmediate);
    }
    expect(output.lastLines(1)).toEqual([' '.repeat(97) + '99']);
    rmSync(path.dirname(file));
    await vi.waitFor(() => expect(content()).toContain('dropped'), IN_TIME);
    const lines = content().trimEnd().split('\n');
    expect(lines.slice(0, -1).map(Number)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(JSON.parse(lines.at(-1)!)).toMatchObject({ level: 'warn', lines: 90, msg: 'log lines dropped' });
  });

  test(
    'is complete after the disk was full for a while',
    needing(ROOT, process.getuid?.() === 0),
    async () => {
      const disk = path.dirname(file);
      mkdirSync(disk);
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk]);
      try {
        const { stdout } = printing({ retryMs: 20 });
        const filler = path.join(disk, 'filler');
        writeFileSync(filler, Buffer.alloc(1024 * 1024 - 8192));
        const lines = Array.from({ length: 200 }, (_, index) => String(index).padStart(99));
        stdout.write(lines.map((line) => `${line}\n`).join(''));
        await vi.waitFor(() => expect(statSync(file).size).toBeGreaterThan(0), IN_TIME);
        expect(content().length).toBeLessThan(200 * 100);
        rmSync(filler);
        await vi.waitFor(() => expect(content().trimEnd().split('\n')).toEqual(lines), IN_TIME);
      } finally {
        execFileSync('umount', ['--lazy', disk]);
      }
      expect(existsSync(`${file}.1`)).toBe(false);
    },
  );
});
