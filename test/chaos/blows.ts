import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '#quant/random.ts';
import type { Fleet } from '../support/fleets/fleet.ts';
import type { FleetNetwork } from './network.ts';

/** Of all blows: those to a connection, and those that freeze a process. The rest kills one. */
const NETWORK_SHARE = 0.4;
const FREEZE_SHARE = 0.2;

interface Struck {
  fleet: Fleet;
  network: FleetNetwork;
  random: Random;
  /** A freeze, or a connection that is slow, cut or held up, takes no longer. */
  longestMs: number;
}

/** Strikes one random process or connection of the fleet, and returns how. Lasts as long as the blow. */
export async function strike(struck: Struck): Promise<string> {
  const { fleet, network, random, longestMs } = struck;
  if (random.chance(NETWORK_SHARE)) return network.strike(random, longestMs);
  const { pids } = await fleet.file();
  const names = Object.keys(pids);
  const name = names[random.below(names.length)]!;
  if (!random.chance(FREEZE_SHARE / (1 - NETWORK_SHARE)))
    return signal(pids[name]!, 'SIGKILL') ? `kill ${name}` : `${name} is down`;
  const ms = Math.round(random.between(500, longestMs));
  if (!signal(pids[name]!, 'SIGSTOP')) return `${name} is down`;
  await sleep(ms);
  // The supervisor may have replaced the process meanwhile; then there is nobody left to continue.
  signal(pids[name]!, 'SIGCONT');
  return `freeze ${name}`;
}

/** Kills every process of the fleet at the same moment, its supervisor included. */
export async function crash(fleet: Fleet): Promise<void> {
  const { pids } = await fleet.file();
  for (const pid of [fleet.pid, ...Object.values(pids)]) signal(pid, 'SIGKILL');
}

function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}
