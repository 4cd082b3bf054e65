import { closeSync, existsSync, mkdirSync, openSync, readSync, renameSync, statSync } from 'node:fs';
import path from 'node:path';

const ROTATE_ABOVE_BYTES = 20 * 1024 * 1024;
const TAIL_BYTES = 16 * 1024;

/** Moves a log that has grown large aside (one older file is kept), so that logs stay bounded over many starts. */
export function rotateLog(file: string, aboveBytes = ROTATE_ABOVE_BYTES): void {
  if (existsSync(file) && statSync(file).size > aboveBytes) renameSync(file, `${file}.1`);
}

/** Opens a log for appending; `startsAt` is where the next line goes, for `lastLines`. The caller closes `fd`. */
export function openLog(file: string): { fd: number; startsAt: number } {
  mkdirSync(path.dirname(file), { recursive: true });
  const fd = openSync(file, 'a', 0o600);
  return { fd, startsAt: statSync(file).size };
}

/** The last non-empty lines written at or after byte `startsAt`. */
export function lastLines(file: string, count: number, startsAt = 0): string[] {
  if (!existsSync(file)) return [];
  const fd = openSync(file, 'r');
  try {
    const size = statSync(file).size;
    const from = Math.max(startsAt, size - TAIL_BYTES);
    const tail = Buffer.alloc(Math.max(0, size - from));
    readSync(fd, tail, 0, tail.length, from);
    const lines = tail.toString('utf8').split('\n');
    return lines.filter((line) => line.trim() !== '').slice(-count);
  } finally {
    closeSync(fd);
  }
}
