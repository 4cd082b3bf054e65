import { isPortFree } from '#local/state/ports.ts';
import { readSettings } from '#local/settings.ts';
import type { Check } from './check.ts';

export const processes: Check = {
  name: 'processes',
  look: async ({ state, processes }) => {
    if (!state.running) {
      return [
        {
          what: `The fleet of ${state.dir} does not run.`,
          fix: "Start it with 'make run'; what follows may keep it from starting.",
        },
      ];
    }
    return processes
      .filter((process) => process.state === 'down' || process.state === 'silent')
      .map(({ name, state, pid, reason }) => ({
        what:
          state === 'down'
            ? `${name} does not run.`
            : `${name} (process ${pid}) runs and does not answer: ${reason}.`,
        fix: `The supervisor starts it again within 20 s; if it does not stay up, read why with 'saring logs ${name}'.`,
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
            ? `End that program (ss -ltnp 'sport = :${port}' names it), or start with another port: PORT=${port + 10} make run.`
            : `End that program (ss -ltnp 'sport = :${port}' names it); else ${name} gets another port at the next start.`,
      });
    }
    return taken;
  },
};
