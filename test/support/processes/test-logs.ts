import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

declare module 'vitest' {
  interface TaskMeta {
    /** What services warned of while a test failed; the report shows it below the error. */
    warnings?: string[];
  }
}

/** The end of what they warned of: the rest mostly repeats it. */
const SHOWN = 8;
const SHOWN_CHARACTERS = 400;
const WARNINGS = ['warn', 'error', 'fatal'];

interface LogLine {
  level: string;
  time: string;
  err?: { message?: string };
  [member: string]: unknown;
}

/** What reads the logs of the processes that tests have started, while they may be of interest. */
const readers = new Set<() => string>();

/**
 * From now on, what these processes warn of is part of the report of a test that fails: a status of 503 alone does not say why.
 * @returns a function that ends this
 */
export function followLogs(read: () => string): () => void {
  readers.add(read);
  return () => void readers.delete(read);
}

/** The logs of all processes of a fleet. */
export function logsOfFleet(stateDir: string): string {
  const folder = path.join(stateDir, 'logs');
  if (!existsSync(folder)) return '';
  return readdirSync(folder)
    .map((file) => readFileSync(path.join(folder, file), 'utf8'))
    .join('\n');
}

/** The last warnings of all followed processes since a time, oldest first, without stacks. */
export function warningsSince(sinceMs: number): string[] {
  const lines = [...readers].flatMap((read) => read().split('\n').flatMap(warningOf));
  return lines
    .filter(({ time }) => Date.parse(time) >= sinceMs)
    .toSorted((a, b) => a.time.localeCompare(b.time))
    .slice(-SHOWN)
    .map(({ err, ...line }) => JSON.stringify({ ...line, err: err?.message }).slice(0, SHOWN_CHARACTERS));
}

/** Servers write lines of their own format, and a line may be incomplete. */
function warningOf(text: string): LogLine[] {
  try {
    const line = JSON.parse(text) as LogLine;
    return WARNINGS.includes(line.level) && typeof line.time === 'string' ? [line] : [];
  } catch {
    return [];
  }
}
