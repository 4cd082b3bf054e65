import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { clientAddress, networkOf } from '../request/request-context.ts';
import type { KeyCache } from './key-cache.ts';
import { MemoryCounts, type Count } from './rate-limit-counts.ts';
import { presentedSecret } from '../request/credentials.ts';

/** Paths below it need a key. */
export const KEYED_PREFIX = '/api/v1/';
/** Needs a key too. No other path checks one. */
export const AGENTS_PATH = '/mcp';
/** Paths below it need the operator's token, which is not a key. */
export const OPERATOR_ROOT = '/api/v1/operator';
const OPERATOR_PREFIX = `${OPERATOR_ROOT}/`;
/** Paths that load balancers and browsers request without a key; not the one-time sign-in, as its token could be guessed. */
const OPEN_PATH =
  /^\/(?:api\/(?:health|openapi\.json|docs)|docs(?:\.md)?|console(?!\/sign-in)|llms\.txt)(?:[/?]|$)/;
/** Above this, the address counted first is forgotten: memory stays bounded, and no caller with a key is locked out. */
const MAX_ADDRESSES = 50_000;

/** Whether a URL is that of the tools for agents. */
export const isAgentsPath = (url: string) => url === AGENTS_PATH || url.startsWith(`${AGENTS_PATH}?`);
const isKeyed = (url: string) =>
  (url.startsWith(KEYED_PREFIX) && !url.startsWith(OPERATOR_PREFIX)) || isAgentsPath(url);
const isOpen = (url: string) => OPEN_PATH.test(url) || url.startsWith(OPERATOR_PREFIX);

interface UnauthenticatedBudgetDependencies {
  config: { FAILED_AUTH_LIMIT: number; OPEN_LIMIT: number; TRUSTED_PROXIES: number };
  keys: Pick<KeyCache, 'knows'>;
  /** A monotonic clock. */
  nowMs: () => number;
}

/**
 * What each client address may request per minute without a valid key, checked before any other work on a request.
 * There are two budgets: one for the open paths and the operator's, so that these keep working, and one for all other
 * requests without a valid key. Keys that this gateway knows are never refused here.
 */
export class UnauthenticatedBudget {
  readonly #deps: UnauthenticatedBudgetDependencies;
  readonly #strange: MemoryCounts;
  readonly #open: MemoryCounts;
  /** Some address may have spent its budget until then. Usually none has, and requests with a key need no check. */
  #someSpentUntilMs = -Infinity;

  constructor(deps: UnauthenticatedBudgetDependencies) {
    this.#deps = deps;
    this.#strange = new MemoryCounts(deps.nowMs, MAX_ADDRESSES);
    this.#open = new MemoryCounts(deps.nowMs, MAX_ADDRESSES);
  }

  /** Counts the request unless it carries a possible key. Returns the spent budget if the request must be refused. */
  check(req: IncomingMessage): Count | undefined {
    const { config, keys, nowMs } = this.#deps;
    const url = req.url ?? '';
    const secret = isKeyed(url) ? presentedSecret(req.headers) : undefined;
    if (secret === undefined) {
      const address = clientAddress(req, config.TRUSTED_PROXIES);
      if (isOpen(url)) return this.#take(this.#open, address, config.OPEN_LIMIT);
      return this.#take(this.#strange, address, config.FAILED_AUTH_LIMIT);
    }
    // Requests with unknown keys may have spent the budget.
    if (nowMs() >= this.#someSpentUntilMs || keys.knows(secret)) return undefined;
    return this.#spent(this.#strange, clientAddress(req, config.TRUSTED_PROXIES), config.FAILED_AUTH_LIMIT);
  }

  /** Counts a key that turned out to be unknown. */
  countRefusedKey(req: IncomingMessage): void {
    const { FAILED_AUTH_LIMIT, TRUSTED_PROXIES } = this.#deps.config;
    this.#take(this.#strange, clientAddress(req, TRUSTED_PROXIES), FAILED_AUTH_LIMIT);
  }

  /** Counts bytes that are not a request. Returns the spent budget if they must not be answered. */
  checkBroken({ remoteAddress = '' }: Socket): Count | undefined {
    return this.#take(this.#strange, networkOf(remoteAddress), this.#deps.config.FAILED_AUTH_LIMIT);
  }

  #take(counts: MemoryCounts, address: string, limit: number): Count | undefined {
    const spent = this.#spent(counts, address, limit);
    if (spent) return spent;
    const counted = counts.increment(address);
    if (counts === this.#strange && counted.hits >= limit)
      this.#someSpentUntilMs = Math.max(this.#someSpentUntilMs, this.#deps.nowMs() + counted.resetInMs);
    return undefined;
  }

  #spent(counts: MemoryCounts, address: string, limit: number): Count | undefined {
    const counted = counts.get(address);
    return counted && counted.hits >= limit ? counted : undefined;
  }
}
