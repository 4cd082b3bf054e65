import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '#quant/random.ts';
import { Accepted } from './accepted.ts';
import { act } from './act.ts';
import type { Actor } from './actor.ts';
import { differences, type Differences } from './comparison.ts';
import { drain, type Drained } from './drain.ts';
import { LoadClient } from './load-client.ts';
import { countedUsage, keyUsage } from './key-usage.ts';
import { readMarket } from './known-market.ts';
import { liftLimits, type LoadStage } from './load-stage.ts';
import { paceDuring, type Pace } from './pace.ts';
import { residentMiB } from '../bench/processes.ts';
import { readStored, type Stored } from './stored.ts';
import { Tally } from './tally.ts';

export interface LoadRequest {
  seconds: number;
  clients: number;
  /** Called every few seconds. */
  progress?: (line: string) => void;
}

/** Everything there is to know of a load. */
export interface LoadOutcome {
  tally: Tally;
  accepted: Accepted;
  drained: Drained;
  stored: Stored;
  differences: Differences;
  /** Whether /api/v1/admin/usage/keys agrees with the rows. */
  isRightByKey: boolean;
  /** Names of processes that ended, started again or not. */
  ended: string[];
  /** MiB by process: before the load, when it ended, and when the queue was empty. */
  memory: Map<string, number>[];
  delayedQueries: number;
  stalledQueries: number;
  pace: Pace;
}

/** One client of so many belongs to the application with the small limit. */
const LIMITED_EVERY = 20;
const SEED = 17;
/** In which everything accepted must have ended, and its last row be stored. */
const DRAIN_WITHIN_MS = 120_000;
const STORED_WITHIN_MS = 30_000;
const LOOK_EVERY_MS = 500;
const PROGRESS_EVERY_MS = 5_000;

/** Loads a stage with concurrent clients, waits until all they were promised is done, and compares. */
export async function runLoad(stage: LoadStage, request: LoadRequest): Promise<LoadOutcome> {
  const { clickhouse, file } = stage;
  const client = new LoadClient(stage.baseUrls, new Tally());
  const accepted = new Accepted();
  const reported = reporter(client.tally, accepted, request.progress);
  try {
    const market = await readMarket(file.base_url, stage.applications[0]!.key);
    const memory = [residentMiB(file.pids)];
    clickhouse.slowDown();
    const over = AbortSignal.timeout(request.seconds * 1_000);
    // Every client has a pause that ends with the load, or two when it submits twice at once.
    setMaxListeners(2 * request.clients, over);
    const shared = { client, accepted, market, over, admin: stage.admin };
    const actors = Array.from({ length: request.clients }, (_, number): Actor =>
      actorOf(stage, shared, number),
    );
    const pace = await paceDuring(client.tally, Promise.all(actors.map(act)));
    memory.push(residentMiB(file.pids));
    await liftLimits(stage);
    const drained = await drain(client, accepted, DRAIN_WITHIN_MS);
    const settled = await settle(stage, client, accepted, drained);
    memory.push(residentMiB(file.pids));
    const { pids } = await stage.fleet.file();
    const ended = Object.keys(file.pids).filter((name) => pids[name] !== file.pids[name]);
    const { delayed: delayedQueries, stalled: stalledQueries } = clickhouse;
    return {
      tally: client.tally,
      accepted,
      drained,
      ...settled,
      ended,
      memory,
      delayedQueries,
      stalledQueries,
      pace,
    };
  } finally {
    clearInterval(reported);
    client.close();
  }
}

function actorOf(
  { applications }: LoadStage,
  shared: Omit<Actor, 'app' | 'endUser' | 'random'>,
  number: number,
): Actor {
  const generous = applications.filter(({ isLimited }) => !isLimited);
  const limited = applications.find(({ isLimited }) => isLimited)!;
  const app = number % LIMITED_EVERY === 0 ? limited : generous[number % generous.length]!;
  return { ...shared, app, endUser: `user-${number}`, random: new Random(SEED, number) };
}

/** The ledger follows the runs, by way of a slow server: compares until nothing differs or the time is over. */
async function settle(stage: LoadStage, client: LoadClient, accepted: Accepted, { states }: Drained) {
  const giveUpAt = performance.now() + STORED_WITHIN_MS;
  for (;;) {
    const stored = await readStored(stage);
    const found = differences(accepted, states, stored);
    const byKey = await keyUsage(client, stage);
    const isRightByKey = JSON.stringify(byKey) === JSON.stringify(countedUsage(stored));
    const isSettled = isRightByKey && Object.values(found).every((times) => times === 0);
    if (isSettled || performance.now() > giveUpAt) return { stored, differences: found, isRightByKey };
    await sleep(LOOK_EVERY_MS);
  }
}

function reporter(tally: Tally, accepted: Accepted, progress: LoadRequest['progress']) {
  const begun = performance.now();
  return setInterval(() => {
    const seconds = ((performance.now() - begun) / 1_000).toFixed(0);
    const breaches = [...tally.breaches.values()].reduce((sum, { times }) => sum + times, 0);
    progress?.(
      `${seconds} s: ${tally.requests} requests, ${accepted.runs.size} runs accepted, ${breaches} breaches`,
    );
  }, PROGRESS_EVERY_MS);
}
