import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '#quant/random.ts';
import type { Application, LoadClient, Reply } from './load-client.ts';
import type { KnownMarket } from './known-market.ts';

/** The pause before a request is repeated. */
const RETRY_MS = [200, 800] as const;

/** One of the concurrent clients: an end user of an application, with everything it needs to act. */
export interface Actor {
  client: LoadClient;
  app: Application;
  /** The application that may read the usage of every key. */
  admin: Application;
  endUser: string;
  accepted: Accepted;
  market: KnownMarket;
  random: Random;
  /** Aborted when the load is over. After that nothing new starts. */
  over: AbortSignal;
}

/** An action of a client, with one or more requests. */
export type Activity = (actor: Actor) => Promise<void>;

export function pick<T>({ random }: Pick<Actor, 'random'>, items: readonly T[]): T {
  return items[random.below(items.length)]!;
}

/** Waits for a random time between the two, or until the load is over. */
export async function pause(
  { random, over }: Pick<Actor, 'random' | 'over'>,
  fromMs: number,
  toMs: number,
): Promise<void> {
  await sleep(random.between(fromMs, toMs), undefined, { signal: over }).catch(() => {});
}

/** Asks again and again, with pauses, until the response is wanted or the load is over. Returns the last response. */
export async function untilWanted<Body>(
  actor: Pick<Actor, 'random' | 'over'>,
  ask: () => Promise<Reply<Body>>,
  isWanted: (reply: Reply<Body>) => boolean,
): Promise<Reply<Body>> {
  for (;;) {
    const reply = await ask();
    if (isWanted(reply) || actor.over.aborted) return reply;
    await pause(actor, ...RETRY_MS);
  }
}

/** Confirmations that clients received and that the service must therefore keep. */
export class Accepted {
  /** Runs by job id. */
  readonly runs = new Map<string, Application>();
  /** Recorded acceptances by consent id. */
  readonly consents = new Map<string, Application>();
  /**
   * Submissions that received a 503 or no response, and that had no Idempotency-Key or were given up. Each may have started a run
   * that no client knows.
   */
  unanswered = 0;
  /** Runs whose cancellation was answered. */
  readonly cancelled = new Set<string>();
  /** How often all pages of an end user's usage were read. */
  walks = 0;
  /** Answered requests that repeated an earlier one under its key. */
  repetitions = 0;
}
