import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '#quant/random.ts';
import type { Application, LoadClient } from './load-client.ts';
import type { KnownMarket } from './known-market.ts';

/** One of the concurrent clients: an end user of an application, and what it needs to act. */
export interface Actor {
  client: LoadClient;
  app: Application;
  /** May read the usage of every key. */
  admin: Application;
  endUser: string;
  accepted: Accepted;
  market: KnownMarket;
  random: Random;
  /** Aborted when the load is over: nothing new is begun then. */
  over: AbortSignal;
}

/** One thing that a client does, of one request or several. */
export type Activity = (actor: Actor) => Promise<void>;

export function pick<T>({ random }: Pick<Actor, 'random'>, items: readonly T[]): T {
  return items[random.below(items.length)]!;
}

/** Waits for a time between the two, or until the load is over. */
export async function pause({ random, over }: Actor, fromMs: number, toMs: number): Promise<void> {
  await sleep(random.between(fromMs, toMs), undefined, { signal: over }).catch(() => {});
}

/** What clients were told is so, and what the service must therefore stand by. */
export class Accepted {
  /** Runs by job id. */
  readonly runs = new Map<string, Application>();
  /** Recorded acceptances by consent id. */
  readonly consents = new Map<string, Application>();
  /**
   * Submissions without an Idempotency-Key, or given up before they were accepted, that a 503 or nothing answered:
   * each may have begun a run of which no client knows.
   */
  unanswered = 0;
  /** Requests that repeated an earlier one under its key and were answered. */
  repetitions = 0;
}
