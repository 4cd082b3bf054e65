import path from 'node:path';
import type { FleetDescription } from '#local/state/fleet-file.ts';
import { readPorts } from '#local/state/ports.ts';
import type { Secrets } from '#local/state/secrets.ts';
import { EXIT } from '#platform/process/exit-codes.ts';
import { CommandFailure } from '../terminal/command-failure.ts';
import { isDescribedByEnvironment, noStateDirectory, readJson, stateDirWith } from './fleet-access.ts';

/** What a state directory contains about its fleet. */
export interface FleetState {
  dir: string;
  /** Set while the fleet runs, with the current process ids. */
  running: (FleetDescription & { pids: Record<string, number> }) | undefined;
  /** Ports of the last start, by process. */
  ports: Record<string, number>;
  secrets: Partial<Secrets>;
}

/**
 * The state directory of the running fleet, or of a fleet that ran earlier.
 * @throws CommandFailure when no fleet was ever started
 */
export function readFleetState(env: NodeJS.ProcessEnv = process.env, cwd = process.cwd()): FleetState {
  const dir = stateDirWith('fleet.json', env, cwd) ?? stateDirWith('secrets.json', env, cwd);
  if (dir === undefined) {
    throw noStateDirectory("no state directory found. Start a fleet with 'make run', or set STATE_DIR.", env);
  }
  const running = readJson<NonNullable<FleetState['running']>>(path.join(dir, 'fleet.json')) ?? undefined;
  const kept = readPorts(path.join(dir, 'ports.json'));
  return {
    dir,
    running,
    ports: running ? { ...kept, ...running.ports } : kept,
    secrets: readJson<Secrets>(path.join(dir, 'secrets.json')) ?? {},
  };
}

/** @throws CommandFailure unless the fleet runs */
export function requireRunning(state: FleetState): NonNullable<FleetState['running']> {
  if (state.running) return state.running;
  const other = isDescribedByEnvironment()
    ? ' It is not the deployment that SARING_OPERATOR_TOKEN and the addresses in the environment describe.'
    : '';
  throw new CommandFailure(
    EXIT.noFleet,
    `the fleet in ${state.dir} is not running. Start it with 'make run'; if it does not start, 'saring doctor' shows why.${other}`,
  );
}
