import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Request, Response } from 'express';
import { KeyIssuer, type IssuedKey } from '#support/fleets/issued-keys.ts';
import { Rest } from '#support/rest/rest.ts';
import { identityOf, keysClient } from '#support/processes/service-process.ts';
import type { ApiKey } from '#proto/saring/keys/v1/keys.ts';
import { authenticate } from '#gateway/auth/authenticate.ts';
import { KeyCache, SOFT_LIFETIME_MS } from '#gateway/auth/key-cache.ts';
import { MemoryCounts } from '#gateway/auth/rate-limit-counts.ts';
import { refusalBudget } from '#gateway/auth/rate-limit.ts';
import { UnauthenticatedBudget } from '#gateway/auth/unauthenticated-budget.ts';
import { pollUntilFinal, submitRun } from '#support/rest/jobs.ts';
import { newSecret } from '#services/keys/secret.ts';
import type { Stage } from '#support/measuring/stage.ts';
import { spread, type Figure } from '#support/measuring/report.ts';

/** The cost of key checks, the delay until a change of a key takes effect, and the delay until a run is in the usage ledger. */
export async function accountFigures({ fleet, file, rest }: Stage): Promise<Figure[]> {
  const issuer = await KeyIssuer.of(fleet.stateDir);
  const keys = keysClient(file.addresses.keys, identityOf('gateway', file.gateway_tokens.keys));
  const lookUp: LookUp = async (secret) => (await keys.authenticate({ secret }, CALL)).api_key!;
  try {
    return [
      ...(await keyCheckFigures(issuer, lookUp)),
      await refusalFigure(issuer, lookUp),
      await revocationFigure(issuer, file.base_url),
      await usageDelayFigure(rest),
    ];
  } finally {
    keys.close();
    issuer.close();
  }
}

const CALL = { requestId: 'req_bench' };

type LookUp = (secret: string) => Promise<ApiKey>;

/** Issues keys for reads with a rate limit that nothing reaches. */
function issueKeys(issuer: KeyIssuer, count: number): Promise<IssuedKey[]> {
  return Promise.all(Array.from({ length: count }, () => issuer.issue(['data:read'])));
}

/** More keys than checks that wait in one turn. Each key is refreshed more than twice a second. */
const KEYS = 100;
const CACHED_AT_ONCE = 64;
/** Several cache lifetimes, so that the calls which refresh the cache are part of the figure. */
const CACHED_MS = 3_000;
/** As many as the keys service and this process can handle in parallel. */
const UNCACHED_AT_ONCE = 4;
const UNCACHED_MS = 2_000;

type Check = (secret: string) => Promise<void>;

/** Duration of the gateway's own authentication, run in this process against a fleet's keys service. */
async function keyCheckFigures(issuer: KeyIssuer, lookUp: LookUp): Promise<Figure[]> {
  const secrets = (await issueKeys(issuer, KEYS)).map(({ key }) => key);
  const cached = checkOf(lookUp);
  for (const secret of secrets) await cached(secret);
  // A cache of one entry: every key evicts the previous one.
  const uncached = checkOf(lookUp, 1);
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

/** The check that the gateway makes for a request. */
function checkOf(lookUp: LookUp, maxEntries?: number): Check {
  const nowMs = () => performance.now();
  const keys = new KeyCache({
    nowMs,
    lookUp,
    ...(maxEntries !== undefined && { maxEntries }),
  });
  const config = { FAILED_AUTH_LIMIT: 1, OPEN_LIMIT: 1, TRUSTED_PROXIES: 0 };
  const unauthenticated = new UnauthenticatedBudget({ config, keys, nowMs });
  const check = authenticate(keys, unauthenticated, refusalBudget(config, new MemoryCounts()));
  return (secret) => {
    const headers = { authorization: `Bearer ${secret}` };
    const request = { url: '/api/v1/models', headers, context: {}, socket: { remoteAddress: '127.0.0.1' } };
    if (unauthenticated.check(request as unknown as Request)) throw new Error('a valid key was refused');
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const next = (error?: unknown) => (error ? reject(error) : resolve());
    void check(request as unknown as Request, {} as Response, next);
    return promise;
  };
}

/** Milliseconds of each check. The checks of one turn of the event loop start together and wait for each other. */
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
  return {
    what: `${what} (p50 / p99)`,
    measured: `${spread(times, [0.5, 0.99], 3)} ms, of ${times.length.toLocaleString('en')}`,
    ...(bar && { bar }),
  };
}

const REFUSALS = 300;

/** How long the keys service takes to refuse an unknown secret and a deleted one. A difference would tell them apart. */
async function refusalFigure(issuer: KeyIssuer, lookUp: LookUp): Promise<Figure> {
  const secrets = { unknown: newSecret(), deleted: (await issuer.revoked(['data:read'])).key };
  const times = { unknown: [] as number[], deleted: [] as number[] };
  for (let round = 0; round < REFUSALS; round++) {
    for (const kind of ['unknown', 'deleted'] as const) {
      const begunMs = performance.now();
      await lookUp(secrets[kind]).then(
        () => Promise.reject(new Error('a refused secret was accepted')),
        () => {},
      );
      times[kind].push(performance.now() - begunMs);
    }
  }
  const measured = `${spread(times.unknown, [0.5], 2)} and ${spread(times.deleted, [0.5], 2)} ms`;
  return { what: `refusing an unknown and a deleted secret (p50 of ${REFUSALS})`, measured, bar: 'equal' };
}

const REVOCATIONS = 20;
const STATUS_PAUSE_MS = 1;

/** Time from the operator's call that disables a key to the first refused request with that key. */
async function revocationFigure(issuer: KeyIssuer, baseUrl: string): Promise<Figure> {
  const keys = await issueKeys(issuer, REVOCATIONS);
  const times: number[] = [];
  for (const [index, issued] of keys.entries()) {
    const rest = new Rest(baseUrl, issued.key);
    await untilAnswered(rest, 200);
    // The gateway's cache entry has a different age each time.
    await sleep((SOFT_LIFETIME_MS * index) / REVOCATIONS);
    await untilAnswered(rest, 200);
    const begunMs = performance.now();
    const refused = untilAnswered(rest, 403);
    await issuer.disable(issued);
    await refused;
    times.push(performance.now() - begunMs);
  }
  return {
    what: `from disabling a key in use to its first 403 (${REVOCATIONS} keys, p50 / max)`,
    measured: `${spread(times, [0.5, 1])} ms`,
    bar: '< 1 s',
  };
}

/** @throws Error on any other status than 200 and 403 */
async function untilAnswered(rest: Rest, wanted: 200 | 403): Promise<void> {
  for (;;) {
    const { status } = await rest.get('/api/v1/scopes');
    if (status === wanted) return;
    if (status !== 200) throw new Error(`a key in use was answered ${status}`);
    await sleep(STATUS_PAUSE_MS);
  }
}

const RUNS = 20;
const POLL_PAUSE_MS = 10;
const GIVE_UP_MS = 30_000;

/** Time from a submission to the first listing with its event. Runs are submitted one after another. */
async function usageDelayFigure(rest: Rest): Promise<Figure> {
  const times: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const begunMs = performance.now();
    const { job_id } = await submitRun(rest);
    await untilListed(rest, job_id);
    times.push(performance.now() - begunMs);
    await pollUntilFinal(rest, job_id);
  }
  return {
    what: `run submitted until its usage event is listed over REST (${RUNS} runs, p50 / max)`,
    measured: `${spread(times, [0.5, 1], 0)} ms`,
    bar: '< 2 s',
  };
}

async function untilListed(rest: Rest, jobId: string): Promise<void> {
  const giveUpAtMs = performance.now() + GIVE_UP_MS;
  while (performance.now() < giveUpAtMs) {
    const { body } = await rest.get<{ events: { job_id: string }[] }>('/api/v1/usage/events?limit=1');
    if (body.events[0]?.job_id === jobId) return;
    await sleep(POLL_PAUSE_MS);
  }
  throw new Error(`the run ${jobId} is in no usage event after ${GIVE_UP_MS} ms`);
}
