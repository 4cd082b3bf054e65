import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Check } from './check.ts';

const CANNOT_START = / cannot start: (.+)/;

/** What a service said last, where that is why it did not start. */
export const startFailures: Check = {
  name: 'failed starts',
  look: async ({ state, processes }) => {
    const isUp = new Set(processes.filter(({ state }) => state === 'up').map(({ name }) => name));
    return logsOf(state.dir).flatMap(({ name, lastLine }) => {
      const [, reason] = CANNOT_START.exec(lastLine) ?? [];
      if (reason === undefined || isUp.has(name)) return [];
      return [{ what: `${name} cannot start: ${reason}`, fix: `The whole log: 'saring logs ${name}'.` }];
    });
  },
};

function logsOf(dir: string): { name: string; lastLine: string }[] {
  const folder = path.join(dir, 'logs');
  let files: string[];
  try {
    files = readdirSync(folder).filter((file) => file.endsWith('.log'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  return files.map((file) => {
    const lines = readFileSync(path.join(folder, file), 'utf8').trimEnd().split('\n');
    const plain = lines.filter((line) => !line.startsWith('{'));
    return { name: file.slice(0, -'.log'.length), lastLine: plain.at(-1) ?? '' };
  });
}
