import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '#quant/random.ts';
import { Accepted, type Actor, pause, type Activity } from '#support/load/actor.ts';
import {
  describeDifferences,
  differences,
  readStored,
  settled,
  type Stored,
} from '#support/load/comparison.ts';
import { LoadClient } from '#support/load/load-client.ts';
import { readMarket } from '#support/load/known-market.ts';
import { finalStates, type FinalStates } from '#support/load/final-states.ts';
import { liftLimits, type LoadStage } from './load-stage.ts';
import { Tally } from '#support/load/tally.ts';
import { administerUsage, readOwnUsage, summarizeUsage } from '#support/load/activities/usage.ts';
import { checkConsent, recordConsent } from '#support/load/activities/consent.ts';
import { readMarketData } from '#support/load/activities/market-data.ts';
import {
  listJobs,
  submitAndCancel,
  submitAndFollow,
  submitAndPoll,
  submitAndWait,
  submitRepeatedly,
} from '#support/load/activities/runs.ts';

interface LoadRequest {
  /** How long clients begin anything new. */
  seconds: number;
  /** Whether enough was tried. Until then they go on, however slow the machine is. */
  isEnough?: (accepted: Accepted) => boolean;
  clients: number;
  /** Called every few seconds. */
  progress?: (line: string) => void;
}

export type LoadOutcome = Awaited<ReturnType<typeof runLoad>>;

/** One in this many clients belongs to the application with the small limit. */
const LIMITED_EVERY = 20;
const SEED = 17;
/** Time limits for all accepted runs to end, and for their last rows to be stored. */
const DRAIN_WITHIN_MS = 120_000;
const STORED_WITHIN_MS = 30_000;
const PROGRESS_EVERY_MS = 5_000;
const LOOKS_EVERY_MS = 250;

/** Loads a stage with concurrent clients, waits until everything promised is done, and compares. */
export async function runLoad(stage: LoadStage, request: LoadRequest) {
  const { clickhouse, file } = stage;
  const client = new LoadClient(stage, new Tally());
  const accepted = new Accepted();
  const reported = reporter(client.tally, accepted, request.progress);
  try {
    const market = await readMarket(file.base_url, stage.applications[0]!.key);
    clickhouse.slowDown();
    const end = new AbortController();
    const over = end.signal;
    // Every client has one pause that listens to this signal, or two when it submits twice in parallel.
    setMaxListeners(2 * request.clients, over);
    const shared = { client, accepted, market, over, admin: stage.admin };
    const actors = Array.from({ length: request.clients }, (_, number): Actor =>
      actorOf(stage, shared, number),
    );
    const begun = performance.now();
    const acting = Promise.all(actors.map(act));
    await Promise.race([acting, untilTried(accepted, request)]);
    end.abort();
    await acting;
    const perSecond = (1_000 * client.tally.requests) / (performance.now() - begun);
    await liftLimits(stage);
    const drained = await finalStates(client, accepted, DRAIN_WITHIN_MS);
    const compared = await settle(stage, client, accepted, drained);
    const { pids } = await stage.fleet.file();
    // Whether or not they were restarted.
    const ended = Object.keys(file.pids).filter((name) => pids[name] !== file.pids[name]);
    const { delayed: delayedQueries, stalled: stalledQueries } = clickhouse.count;
    return {
      tally: client.tally,
      accepted,
      drained,
      ...compared,
      ended,
      delayedQueries,
      stalledQueries,
      perSecond,
    };
  } finally {
    clearInterval(reported);
    client.close();
  }
}

async function untilTried(
  accepted: Accepted,
  { seconds, isEnough = () => true }: LoadRequest,
): Promise<void> {
  await sleep(seconds * 1_000);
  while (!isEnough(accepted)) await sleep(LOOKS_EVERY_MS);
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

/** Compares what is stored with what clients were told, once the ledger has everything. */
function settle(stage: LoadStage, client: LoadClient, accepted: Accepted, { states }: FinalStates) {
  const keyIds = stage.applications.map(({ keyId }) => keyId);
  return settled(async () => {
    const stored = await readStored(stage.fleet, keyIds, (sql) => stage.clickhouse.ask(sql));
    const found = differences(accepted, states, stored);
    const byKey = await keyUsage(client, stage);
    const isRightByKey = JSON.stringify(byKey) === JSON.stringify(countedUsage(stored));
    return {
      found: { stored, differences: found, isRightByKey },
      isSettled: isRightByKey && describeDifferences(found).length === 0,
    };
  }, STORED_WITHIN_MS);
}

interface KeyUsage {
  api_key_id: string;
  runs: number;
  succeeded: number;
  failed: number;
}

/** Sums of /api/v1/admin/usage/keys for the load's applications; undefined if they could not be read. */
async function keyUsage(client: LoadClient, { admin, applications }: LoadStage) {
  const path = '/api/v1/admin/usage/keys';
  const requested = { kind: 'usage, of every key', path, app: admin, expected: ['200'] };
  const { status, body } = await client.ask<{ keys: KeyUsage[] }>({
    ...requested,
    unavailable: 'usage_unavailable',
  });
  if (status !== 200) return undefined;
  const own = body.keys.filter(({ api_key_id }) => applications.some(({ keyId }) => keyId === api_key_id));
  const sum = (field: 'runs' | 'succeeded' | 'failed') => own.reduce((total, key) => total + key[field], 0);
  return { runs: sum('runs'), succeeded: sum('succeeded'), failed: sum('failed') };
}

/** The same sums, counted from the rows. */
function countedUsage({ usage }: Stored) {
  const having = (status: string) => usage.filter((row) => row.status === status).length;
  return { runs: usage.length, succeeded: having('succeeded'), failed: having('failed') };
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

/**
 * Weight of each activity out of 100. A third of the activities submit runs, more than in real applications, because runs are
 * what can get lost.
 */
const MIX: [weight: number, activity: Activity][] = [
  [9, submitAndPoll],
  [8, submitAndWait],
  [5, submitRepeatedly],
  [6, submitAndFollow],
  [4, submitAndCancel],
  [3, listJobs],
  [41, readMarketData],
  [8, readOwnUsage],
  [6, summarizeUsage],
  [2, administerUsage],
  [4, checkConsent],
  [4, recordConsent],
];
const WEIGHTS = MIX.reduce((sum, [weight]) => sum + weight, 0);

/** Pause between two activities of a client. With it, 200 clients request some 200 answers a second. */
const THINKING_MS = [400, 1_600] as const;

/** Runs one activity after another until the load is over. */
async function act(actor: Actor): Promise<void> {
  while (!actor.over.aborted) {
    await pause(actor, ...THINKING_MS);
    if (!actor.over.aborted) await activityOf(actor)(actor);
  }
}

function activityOf({ random }: Actor): Activity {
  let left = random.between(0, WEIGHTS);
  return (MIX.find(([weight]) => (left -= weight) < 0) ?? MIX[0]!)[1];
}
