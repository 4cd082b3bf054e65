import { appendFileSync, closeSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { lastLines, openLog, rotateLog } from './log-file.ts';

let file: string;

beforeEach(() => {
  file = path.join(mkdtempSync(path.join(tmpdir(), 'saring-log-')), 'logs', 'x.log');
});
afterEach(() => rmSync(path.dirname(path.dirname(file)), { recursive: true, force: true }));

describe('log files', () => {
  test('show the last lines of this start only', () => {
    closeSync(openLog(file).fd);
    appendFileSync(file, 'an earlier start\n');
    const { fd, startsAt } = openLog(file);
    closeSync(fd);
    appendFileSync(file, 'one\n\ntwo\nthree\n');
    expect(lastLines(file, 2, startsAt)).toEqual(['two', 'three']);
    expect(lastLines(file, 9, startsAt)).toEqual(['one', 'two', 'three']);
  });

  test('are moved aside when they have grown large, and only then', () => {
    closeSync(openLog(file).fd);
    writeFileSync(file, '12345');
    rotateLog(file, 5);
    expect(existsSync(file)).toBe(true);
    rotateLog(file, 4);
    expect(existsSync(file)).toBe(false);
    expect(lastLines(`${file}.1`, 1)).toEqual(['12345']);
  });
});
