import { randomUUID } from 'node:crypto';
import { Random } from '#quant/random.ts';
import { Accepted, pause, untilWanted, type Activity, type Actor } from '#support/load/actor.ts';
import { record } from '#support/load/activities/consent.ts';
import { readMarketData } from '#support/load/activities/market-data.ts';
import { cancel } from '#support/load/activities/runs.ts';
import { isAccepted, submit, withKey } from '#support/load/activities/submit.ts';
import { readOwnUsage, walkThroughUsage } from '#support/load/activities/usage.ts';
import type { KnownMarket } from '#support/load/known-market.ts';
import { LoadClient, type Application } from '#support/load/load-client.ts';
import { Tally } from '#support/load/tally.ts';

const PAUSE_MS = 250;
/** Requests in progress are repeated until the service accepts them, also after the load. */
const NEVER = new AbortController().signal;
/** A gateway allows 5 s for each of two services and may be frozen for 15 s before that. Anything that takes longer hangs. */
const HANGS_AFTER_MS = 30_000;

/**
 * Clients that submit and cancel runs, record consents, read data and page through their usage while the fleet breaks. They
 * repeat a refused or lost submission under its idempotency key until the service accepts it, as an application would.
 */
export class ChaosClients {
  readonly accepted = new Accepted();
  readonly client: LoadClient;
  readonly #common: Omit<Actor, 'endUser' | 'random'>;
  readonly #random: (lane: number) => Random;
  #isOver = false;
  readonly #lanes: Promise<void>[];

  /** @param baseUrls of every gateway */
  constructor(
    baseUrls: readonly string[],
    { app, market, clients, seed }: { app: Application; market: KnownMarket; clients: number; seed: number },
  ) {
    this.client = new LoadClient({ baseUrls, patienceMs: HANGS_AFTER_MS, isBroken: true }, new Tally());
    this.#common = { client: this.client, accepted: this.accepted, app, admin: app, market, over: NEVER };
    this.#random = (lane) => new Random(seed, lane + 1);
    this.#lanes = Array.from({ length: clients }, (_, lane) => this.#act(lane));
  }

  /** Call while the fleet works: requests in progress are repeated until the service accepts them. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#lanes);
  }

  /** Job ids on all pages of usage. Call while the fleet works. */
  walk(): Promise<Set<string>> {
    return walkThroughUsage({ ...this.#common, endUser: '', random: this.#random(-1) });
  }

  async #act(lane: number): Promise<void> {
    const actor: Actor = { ...this.#common, endUser: `chaos-${lane}`, random: this.#random(lane) };
    // Each begins elsewhere, so that every activity is tried however short the blows are and whatever is down.
    for (let turn = lane; !this.#isOver; turn++) {
      await DAY[turn % DAY.length]!(actor);
      await pause(actor, PAUSE_MS, PAUSE_MS);
    }
  }
}

const submitOne = (actor: Actor) => submit(actor, withKey({ model: 'confluence_filter', params: {} }));

const submitRun: Activity = async (actor) => void (await submitOne(actor));

const cancelRun: Activity = async (actor) => {
  const job = await submitOne(actor);
  if (job) await untilWanted(actor, () => cancel(actor, job.job_id), isAccepted);
};

const recordConsent: Activity = async (actor) => {
  const key = randomUUID();
  await untilWanted(
    actor,
    () => record(actor, key),
    ({ status }) => status === 201,
  );
};

/** Mostly runs, because runs are what can get lost. The first four, with which the first clients begin, are what the report counts. */
const DAY: Activity[] = [
  recordConsent,
  submitRun,
  cancelRun,
  readOwnUsage,
  submitRun,
  readMarketData,
  submitRun,
  submitRun,
];
