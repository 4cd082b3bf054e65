import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Request, Response } from 'express';
import { authenticate } from '#gateway/auth/authenticate.ts';
import { KeyCache } from '#gateway/auth/key-cache.ts';
import { MemoryCounts } from '#gateway/auth/rate-limit-counts.ts';
import { refusalBudget } from '#gateway/auth/rate-limit.ts';
import { StrangerBudget } from '#gateway/auth/stranger-budget.ts';
import { quantile } from '../quantiles.ts';
import type { Figure } from '../report.ts';
import { issueKeys, type KeysOperator } from './keys-operator.ts';

/** More than wait in one turn, each refreshed more than twice a second. */
const KEYS = 100;
const CACHED_AT_ONCE = 64;
/** Several lifetimes of what is cached, so that the questions which refresh it are in the figure. */
const CACHED_MS = 3_000;
/** As many as the keys service and this process can be busy with. */
const UNCACHED_AT_ONCE = 4;
const UNCACHED_MS = 2_000;

type Check = (secret: string) => Promise<void>;

/** How long the gateway's own authentication takes in this process, before a fleet's keys service. */
export async function keyCheckFigures(operator: KeysOperator): Promise<Figure[]> {
  const keys = await issueKeys(operator, KEYS);
  const secrets = keys.map(({ secret }) => secret);
  const cached = checkOf(operator);
  for (const secret of secrets) await cached(secret);
  // Every other key takes the place of the one before.
  const uncached = checkOf(operator, 1);
  return [
    figure(
      `key check in the gateway, cached, ${CACHED_AT_ONCE} at once of ${KEYS} keys`,
      await timesOf(cached, secrets, { atOnce: CACHED_AT_ONCE, forMs: CACHED_MS }),
      'p99 < 1 ms',
    ),
    figure(
      `... asked of the keys service each time, ${UNCACHED_AT_ONCE} at once`,
      await timesOf(uncached, secrets, { atOnce: UNCACHED_AT_ONCE, forMs: UNCACHED_MS }),
    ),
  ];
}

/** As a request meets it. */
function checkOf({ client, call }: KeysOperator, maxEntries?: number): Check {
  const nowMs = () => performance.now();
  const keys = new KeyCache({
    nowMs,
    lookUp: async (secret) => (await client.authenticate({ secret }, call)).api_key!,
    ...(maxEntries !== undefined && { maxEntries }),
  });
  const config = { FAILED_AUTH_LIMIT: 1, OPEN_LIMIT: 1, TRUSTED_PROXIES: 0 };
  const strangers = new StrangerBudget({ config, keys, nowMs });
  const check = authenticate(keys, strangers, refusalBudget(config, new MemoryCounts()));
  return (secret) => {
    const headers = { authorization: `Bearer ${secret}` };
    const request = { url: '/api/v1/models', headers, context: {}, socket: { remoteAddress: '127.0.0.1' } };
    if (strangers.check(request as unknown as Request)) throw new Error('a valid key was refused');
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const next = (error?: unknown) => (error ? reject(error) : resolve());
    void check(request as unknown as Request, {} as Response, next);
    return promise;
  };
}

/** Milliseconds of each check; those of a turn of the event loop begin together and wait for each other. */
async function timesOf(
  check: Check,
  secrets: string[],
  { atOnce, forMs }: { atOnce: number; forMs: number },
): Promise<number[]> {
  const times: number[] = [];
  const time = async (secret: string) => {
    const begunMs = performance.now();
    await check(secret);
    times.push(performance.now() - begunMs);
  };
  const untilMs = performance.now() + forMs;
  for (let first = 0; performance.now() < untilMs; first += atOnce) {
    await nextTurn();
    const nth = (index: number) => secrets[(first + index) % secrets.length]!;
    await Promise.all(Array.from({ length: atOnce }, (_, index) => time(nth(index))));
  }
  return times;
}

function figure(what: string, times: number[], bar?: string): Figure {
  const [p50, p99] = [0.5, 0.99].map((q) => quantile(times, q).toFixed(3));
  return {
    what: `${what} (p50 / p99)`,
    measured: `${p50} / ${p99} ms, of ${times.length.toLocaleString('en')}`,
    ...(bar && { bar }),
  };
}
