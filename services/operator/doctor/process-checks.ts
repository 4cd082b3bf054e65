import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isPortFree } from '#local/state/ports.ts';
import { readSettings } from '#local/settings.ts';
import type { Check } from './check.ts';

export const processes: Check = {
  name: 'processes',
  look: async ({ state, processes }) => {
    if (!state.running) {
      return [
        {
          what: `The fleet in ${state.dir} is not running.`,
          fix: "Start it with 'make run'. Problems listed below may keep it from starting.",
        },
      ];
    }
    return processes
      .filter((process) => process.state === 'down' || process.state === 'silent')
      .map(({ name, state, pid, reason }) => ({
        what:
          state === 'down'
            ? `${name} is not running.`
            : `${name} (process ${pid}) is running but does not answer: ${reason}.`,
        fix: `The supervisor restarts it within 20 s. If it does not stay up, 'saring logs ${name}' shows why.`,
      }));
  },
};

export const ports: Check = {
  name: 'ports',
  look: async ({ state, processes }) => {
    const down = state.running
      ? processes.filter((process) => process.state !== 'external' && process.pid === null)
      : Object.entries({ ...state.ports, gateway: readSettings().port }).map(([name, port]) => ({
          name,
          port,
        }));
    const taken = [];
    for (const { name, port } of down) {
      if (await isPortFree(port)) continue;
      taken.push({
        what: `Port ${port} of ${name} is taken by another program.`,
        fix:
          name === 'gateway'
            ? `Stop that program (ss -ltnp 'sport = :${port}' shows it), or start the fleet on another port: PORT=${port + 10} make run.`
            : `Stop that program (ss -ltnp 'sport = :${port}' shows it). Otherwise ${name} gets another port at the next start.`,
      });
    }
    return taken;
  },
};

const CANNOT_START = / cannot start: (.+)/;

/** Finds services that are not up and whose last log line says why they did not start. */
export const startFailures: Check = {
  name: 'failed starts',
  look: async ({ state, processes }) => {
    const isUp = new Set(processes.filter(({ state }) => state === 'up').map(({ name }) => name));
    return logsOf(state.dir).flatMap(({ name, lastLine }) => {
      const [, reason] = CANNOT_START.exec(lastLine) ?? [];
      if (reason === undefined || isUp.has(name)) return [];
      return [
        { what: `${name} cannot start: ${reason}`, fix: `See the whole log with 'saring logs ${name}'.` },
      ];
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
