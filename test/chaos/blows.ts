import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '#quant/random.ts';
import { signal } from '../support/processes/signal.ts';
import type { ChaosStage } from './stage.ts';

/** Of all blows: those to a connection, and those that freeze a process. The rest kills one. */
const NETWORK_SHARE = 0.4;
const FREEZE_SHARE = 0.2;

interface Struck {
  stage: ChaosStage;
  random: Random;
  /** A freeze, or a connection that is slow, cut or held up, takes no longer. */
  longestMs: number;
}

/** Strikes one random process or connection of the fleet, and returns how. Lasts as long as the blow. */
export async function strike(struck: Struck): Promise<string> {
  const { stage, random, longestMs } = struck;
  if (random.chance(NETWORK_SHARE)) return stage.network.strike(random, longestMs);
  const pids = await stage.pids();
  const names = Object.keys(pids);
  const name = names[random.below(names.length)]!;
  if (!random.chance(FREEZE_SHARE / (1 - NETWORK_SHARE))) {
    const lived = signal(pids[name]!, 'SIGKILL');
    await stage.replace(name);
    return lived ? `kill ${name}` : `${name} is down`;
  }
  const ms = Math.round(random.between(500, longestMs));
  if (!signal(pids[name]!, 'SIGSTOP')) return `${name} is down`;
  await sleep(ms);
  // The supervisor may have replaced the process meanwhile; then there is nobody left to continue.
  signal(pids[name]!, 'SIGCONT');
  return `freeze ${name}`;
}
