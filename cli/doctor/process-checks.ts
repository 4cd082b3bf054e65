import { cannotStart } from '#platform/process/cannot-start.ts';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isPortFree } from '#local/state/ports.ts';
import { SHARED_PROCESS } from '#local/configuration/service-table.ts';
import { readSettings } from '#local/configuration/settings.ts';
import { isDescribedByEnvironment } from '../fleet/fleet-access.ts';
import type { Check } from './check.ts';

export const processes: Check = {
  name: 'processes',
  find: async ({ state, processes }) => {
    if (!state.running) {
      return [
        {
          what: `The fleet in ${state.dir} is not running.`,
          fix: isDescribedByEnvironment()
            ? "Start it with 'make run', or unset STATE_DIR: SARING_OPERATOR_TOKEN describes another deployment, which the doctor does not examine."
            : "Start it with 'make run'. Problems listed below may keep it from starting.",
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
  find: async ({ state, processes }) => {
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

/** Finds services that are not up, and whose last start failed for a reason that their log gives. */
export const startFailures: Check = {
  name: 'failed starts',
  find: async ({ state, processes }) => {
    const isUp = new Set(processes.filter(({ state }) => state === 'up').map(({ name }) => name));
    const isOfFleet = (name: string) => !state.running || processes.some((process) => process.name === name);
    return logsOf(state.dir).flatMap(({ file, lines }) =>
      cannotStart(lines).flatMap(({ service, reason }) => {
        const name = file === SHARED_PROCESS ? service : file;
        if (isUp.has(name) || !isOfFleet(name)) return [];
        return [
          { what: `${name} cannot start: ${reason}`, fix: `See the whole log with 'saring logs ${name}'.` },
        ];
      }),
    );
  },
};

function logsOf(dir: string): { file: string; lines: string[] }[] {
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
    return { file: file.slice(0, -'.log'.length), lines };
  });
}
