import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '#local/state/ports.ts';
import { Random } from '#quant/random.ts';
import { readMarket } from '../load/known-market.ts';
import { Fleet, SMALL_MARKET } from '../support/fleets/fleet.ts';
import { issueKey } from '../support/fleets/issued-keys.ts';
import { submitRun } from '../support/fleets/jobs.ts';
import { Rest } from '../support/fleets/rest.ts';
import { stocksOfLastDay } from '../support/markets/next-day.ts';
import { PoweredDisk } from '../support/servers/power.ts';
import { crash, strike } from './blows.ts';
import { ChaosClients } from './clients.ts';
import { compare, type ChaosComparison } from './comparison.ts';
import { ChaosImporter } from './importer.ts';
import { FleetNetwork } from './network.ts';

export interface ChaosPlan {
  /** Random kills and freezes of single processes, and faults of single connections. */
  kills: number;
  /** They go on for so long, however many that are; 0 ends them with their number. */
  minutes: number;
  /** Kills of the whole fleet at once. */
  crashes: number;
  /** Copies of the disk as it is at one moment, from which the fleet starts again. Needs root. */
  powerCuts: number;
  clients: number;
  seed: number;
  /** A freeze, or a connection that is slow, cut or held up, takes no longer. */
  longestMs: number;
  progress: (line: string) => void;
}

export interface ChaosOutcome extends ChaosComparison {
  clients: ChaosClients;
  importer: ChaosImporter;
  /** Blows by kind, as in `kill models`, with how often each was struck. */
  blows: Map<string, number>;
  /** For each phase, how long after its last blow a run completed again. */
  readyAfterMs: Map<string, number[]>;
}

const READY_WITHIN_MS = 60_000;
const LONGEST_PAUSE_MS = 2_000;
const SCOPES = 'models:read,models:run,data:read,usage:read';

/** Breaks a fleet of its own under load, one phase after the other, and compares what it holds with what clients were told. */
export async function chaos(plan: ChaosPlan): Promise<ChaosOutcome> {
  const disk = plan.powerCuts > 0 ? new PoweredDisk() : undefined;
  const folder = await mkdtemp(path.join(tmpdir(), 'saring-chaos-'));
  const stateDir = path.join(disk?.root ?? folder, 'state');
  const network = await FleetNetwork.start();
  const env = { ...SMALL_MARKET, ...network.env, PORT: String(await freePort()), STATE_DIR: stateDir };
  let fleet: Fleet | undefined;
  const start = async () => {
    fleet = undefined;
    await mkdir(stateDir, { recursive: true });
    await network.settle(stateDir);
    return (fleet = await Fleet.start(env));
  };
  try {
    const { id: keyId, key } = await issueKey((await start()).stateDir, SCOPES);
    const { base_url } = await fleet!.file();
    const rest = new Rest(base_url, key);
    const { clients, importer } = await startLoad(rest, base_url, key, {
      stateDir,
      folder,
      clients: plan.clients,
    });
    const blows = new Map<string, number>();
    const readyAfterMs = new Map<string, number[]>();
    const ready = async (phase: string) => {
      const ms = await untilRunsComplete(rest);
      readyAfterMs.set(phase, [...(readyAfterMs.get(phase) ?? []), ms]);
      const after = `runs complete again after ${(ms / 1_000).toFixed(1)} s`;
      plan.progress(`${phase}: ${after}; ${clients.runs.size} accepted so far`);
    };
    const random = new Random(plan.seed);
    const endAt = performance.now() + plan.minutes * 60_000;
    const goesOn = (struck: number) => (plan.minutes > 0 ? performance.now() < endAt : struck < plan.kills);
    for (let struck = 0; goesOn(struck); struck++) {
      const blow = await strike({ fleet: fleet!, network, random, longestMs: plan.longestMs });
      blows.set(blow, (blows.get(blow) ?? 0) + 1);
      plan.progress(`${new Date().toISOString().slice(11, 19)}  ${blow}`);
      await sleep(random.between(0, Math.min(LONGEST_PAUSE_MS, plan.longestMs)));
    }
    await ready('kills, freezes and faults of connections');
    for (let crashes = 0; crashes < plan.crashes; crashes++) {
      await sleep(random.between(1_000, 5_000));
      await crash(fleet!);
      await start();
      await ready('crash of everything');
    }
    for (let cuts = 0; cuts < plan.powerCuts; cuts++) {
      await sleep(random.between(1_000, 5_000));
      await disk!.cut(fleet!.pid);
      await start();
      await ready('power cut');
    }
    await Promise.all([clients.stop(), importer.stop()]);
    const found = await compare({ rest, fleet: fleet!, keyId, clients, importer });
    return { clients, importer, blows, readyAfterMs, ...found };
  } finally {
    await fleet?.stop({ keepState: true });
    network.stop();
    await disk?.remove();
    await rm(folder, { recursive: true, force: true });
  }
}

async function startLoad(
  rest: Rest,
  baseUrl: string,
  key: string,
  load: { stateDir: string; folder: string; clients: number },
): Promise<{ clients: ChaosClients; importer: ChaosImporter }> {
  const market = await readMarket(baseUrl, key);
  const { dataset } = (await rest.get<{ dataset: { last_date: string } }>('/api/health')).body;
  const importer = new ChaosImporter(load, await stocksOfLastDay(rest), dataset.last_date);
  const clients = new ChaosClients(rest, {
    clients: load.clients,
    documentVersion: market.requiredConsent,
    tickers: market.tickers.slice(0, 10),
  });
  return { clients, importer };
}

/** From now until a run that is submitted now, or as soon as that is possible, has succeeded. */
async function untilRunsComplete(rest: Rest): Promise<number> {
  const begun = performance.now();
  while (performance.now() - begun < READY_WITHIN_MS) {
    const job = await submitRun(rest, {}, '?wait=10').catch(() => undefined);
    if (job?.status === 'succeeded') return performance.now() - begun;
    await sleep(100);
  }
  throw new Error(`no run has completed for ${READY_WITHIN_MS / 1_000} s`);
}
