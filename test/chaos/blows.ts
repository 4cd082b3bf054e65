import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '#quant/random.ts';
import type { Fleet } from '../support/fleets/fleet.ts';

const LONGEST_FREEZE_MS = 15_000;
/** Of all blows. A freeze takes up to 15 s, a kill none. */
const FREEZE_SHARE = 0.25;

/** Kills or freezes one random process of the fleet, and returns what it did. A freeze lasts as long as the call. */
export async function strike(fleet: Fleet, random: Random): Promise<string> {
  const { pids } = await fleet.file();
  const names = Object.keys(pids);
  const name = names[random.below(names.length)]!;
  if (!random.chance(FREEZE_SHARE))
    return signal(pids[name]!, 'SIGKILL') ? `kill ${name}` : `${name} is down`;
  const ms = Math.round(random.between(500, LONGEST_FREEZE_MS));
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
