import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '#quant/random.ts';
import { describeDifferences } from '#support/load/comparison.ts';
import { readMarket } from '#support/load/known-market.ts';
import type { Application } from '#support/load/load-client.ts';
import { issueKey } from '#support/fleets/issued-keys.ts';
import { untilRunSucceeds } from '#support/rest/jobs.ts';
import { Rest } from '#support/rest/rest.ts';
import { servedDataset } from '#support/rest/served-dataset.ts';
import { stocksOfLastDay } from '#support/markets/next-day.ts';
import { PoweredDisk } from '#support/servers/power.ts';
import { signal } from '#support/processes/signals.ts';
import { ChaosClients } from './clients.ts';
import { compare } from './comparison.ts';
import { ChaosImporter } from './importer.ts';
import { startReceiver } from './receiver.ts';
import { createSchedules, firingsOf } from './schedules.ts';
import { ChaosStage } from './stage.ts';

interface ChaosPlan {
  /** Number of random blows: kills and freezes of processes, and faults of connections. */
  kills: number;
  /** How many minutes the blows last, however many there are; 0 stops after `kills` of them. */
  minutes: number;
  /** How often the whole fleet is killed at the same moment. */
  crashes: number;
  /**
   * How often the power of the disk is cut. The fleet then restarts from what the disk holds. Needs root; not with `redundant`.
   */
  powerCuts: number;
  /** Runs two of every service and of the gateway, on three NATS nodes of which one is down. */
  redundant: boolean;
  clients: number;
  seed: number;
  /** The longest freeze, or time that a connection is slow, cut or held. */
  longestMs: number;
  progress: (line: string) => void;
}

export type ChaosOutcome = Awaited<ReturnType<typeof chaos>>;

const MAX_PAUSE_MS = 2_000;

/** Breaks a fleet under load in several phases, then compares its data with the responses that clients received. */
export async function chaos(plan: ChaosPlan) {
  const disk = plan.powerCuts > 0 ? new PoweredDisk() : undefined;
  const folder = await mkdtemp(path.join(tmpdir(), 'saring-chaos-'));
  try {
    const stateDir = path.join(disk?.root ?? folder, 'state');
    const stage = await ChaosStage.start({ stateDir, redundant: plan.redundant });
    try {
      return await breakUnderLoad(plan, stage, { stateDir, folder, disk });
    } finally {
      await stage.stop();
    }
  } finally {
    await disk?.remove();
    await rm(folder, { recursive: true, force: true });
  }
}

async function breakUnderLoad(
  plan: ChaosPlan,
  stage: ChaosStage,
  { stateDir, folder, disk }: { stateDir: string; folder: string; disk: PoweredDisk | undefined },
) {
  const { id: keyId, key } = await issueKey(stateDir);
  // Before any run: a webhook is told only of what happens from its creation on.
  const receiver = await startReceiver(new Rest(stage.baseUrls[0]!, key));
  // Runs of another key, so that those of this one are only what clients know.
  const rest = new Rest(stage.baseUrls[0]!, (await issueKey(stateDir)).key);
  const load = await startLoad(plan, stage.baseUrls, {
    rest,
    app: { key, keyId, isLimited: false },
    stateDir,
    folder,
  });
  await createSchedules(stage.fleet, keyId);
  const random = new Random(plan.seed);
  /** For each phase, the time from its last blow to the next completed run. */
  const readyAfterMs = new Map<string, number[]>();
  const ready = async (phase: string) => {
    const ms = await stage.withOneNodeDead(() => untilRunSucceeds(rest));
    readyAfterMs.set(phase, [...(readyAfterMs.get(phase) ?? []), ms]);
    const after = `runs complete again after ${(ms / 1_000).toFixed(1)} s`;
    plan.progress(`${phase}: ${after}; ${load.clients.accepted.runs.size} accepted so far`);
  };
  const blows = await strikeAll(plan, stage, random);
  await ready('kills, freezes and faults of connections');
  const restart = async (phase: string, stop: () => Promise<void>) => {
    await sleep(random.between(1_000, 5_000));
    await stop();
    await stage.startFleet();
    await ready(phase);
  };
  for (let i = 0; i < plan.crashes; i++) await restart('crash of everything', () => stage.crash());
  for (let i = 0; i < plan.powerCuts; i++) await restart('power cut', () => disk!.cut(stage.fleet.pid));
  await Promise.all([load.clients.stop(), load.importer.stop()]);
  const found = await compare({ fleet: stage.fleet, keyId, ...load });
  const schedules = await firingsOf(stage.fleet);
  const told = await receiver.compare(stage.fleet, keyId);
  receiver.stop();
  load.clients.client.close();
  return { ...load, blows, readyAfterMs, nodesKilled: stage.nodesKilled, ...found, schedules, told };
}

/** Strikes single processes and connections for the planned number or time, and counts the kinds, as in `kill models`. */
async function strikeAll(
  { kills, minutes, longestMs, progress }: ChaosPlan,
  stage: ChaosStage,
  random: Random,
): Promise<Map<string, number>> {
  const blows = new Map<string, number>();
  const endAt = performance.now() + minutes * 60_000;
  const goesOn = (struck: number) => (minutes > 0 ? performance.now() < endAt : struck < kills);
  for (let struck = 0; goesOn(struck); struck++) {
    const blow = await strike({ stage, random, longestMs });
    blows.set(blow, (blows.get(blow) ?? 0) + 1);
    progress(`${new Date().toISOString().slice(11, 19)}  ${blow}`);
    await sleep(random.between(0, Math.min(MAX_PAUSE_MS, longestMs)));
  }
  return blows;
}

async function startLoad(
  { clients, seed }: ChaosPlan,
  baseUrls: readonly string[],
  { rest, app, ...places }: { rest: Rest; app: Application; stateDir: string; folder: string },
): Promise<{ clients: ChaosClients; importer: ChaosImporter }> {
  const { last_date } = await servedDataset(rest);
  const market = await readMarket(baseUrls[0]!, app.key);
  return {
    importer: new ChaosImporter(places, await stocksOfLastDay(rest), last_date),
    clients: new ChaosClients(baseUrls, { app, market, clients, seed }),
  };
}

/** Shares of all blows that hit a connection or freeze a process. All others kill a process. */
const NETWORK_SHARE = 0.4;
const FREEZE_SHARE = 0.2;

interface Struck {
  stage: ChaosStage;
  random: Random;
  /** The longest freeze, or time that a connection is slow, cut or held. */
  longestMs: number;
}

/** Strikes one random process or connection of the fleet and returns the kind. Takes as long as the blow. */
async function strike(struck: Struck): Promise<string> {
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
  // The supervisor may have replaced the process meanwhile; then there is nothing to resume.
  signal(pids[name]!, 'SIGCONT');
  return `freeze ${name}`;
}

/** One sentence for each broken promise, whatever the speed of the machine. */
export function brokenPromises(outcome: ChaosOutcome): string[] {
  const { clients, states, differences, unlisted, lostImports, schedules, told } = outcome;
  const wrong = [...states].filter(([state]) => !['succeeded', 'interrupted', 'cancelled'].includes(state));
  return [
    ...wrong.map(([state, times]) => `${times} accepted runs are ${state}`),
    ...describeDifferences(differences),
    ...(unlisted > 0 ? [`${unlisted} accepted runs are on no page of usage`] : []),
    ...(schedules.doubled > 0 ? [`schedules have started ${schedules.doubled} runs too many`] : []),
    ...(schedules.undecided > 0 ? [`${schedules.undecided} firings of schedules came to nothing`] : []),
    ...told.untold.map((known) => `a run has ended of which the receiver was not told: ${known}`),
    ...(told.foreign > 0 ? [`the receiver was told of ${told.foreign} runs of other keys`] : []),
    ...(told.forged > 0 ? [`${told.forged} deliveries have a signature that does not fit`] : []),
    ...lostImports.map((what) => `an acknowledged import is lost: ${what}`),
    ...clients.client.tally.describeBreaches(),
    ...(clients.accepted.runs.size === 0 ? ['no run was accepted, so nothing was tried'] : []),
  ];
}

/** A fleet on a quiet machine must recover without help within this time. */
const BACK_WITHIN_MS = 30_000;

/** One sentence for each phase after which no run completed in time. */
export function lateRecoveries({ readyAfterMs }: ChaosOutcome): string[] {
  return [...readyAfterMs]
    .filter(([, all]) => Math.max(...all) > BACK_WITHIN_MS)
    .map(([phase, all]) => `no run completed for ${Math.max(...all) / 1_000} s after: ${phase}`);
}
