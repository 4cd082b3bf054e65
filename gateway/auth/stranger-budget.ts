import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { GatewayConfig } from '../config.ts';
import { clientAddress, networkOf } from '../server/request-context.ts';
import type { KeyCache } from './key-cache.ts';
import { MemoryCounts, type Count } from './rate-limit-counts.ts';

/** Anything longer is no key of ours and is not worth a look-up. */
const MAX_SECRET_LENGTH = 256;
/** Everything below needs a key; everything else checks none. */
const KEYED_PREFIX = '/api/v1/';
/** Below it the operator's token counts, which is no key. */
export const OPERATOR_PREFIX = '/api/v1/operator/';
/** What load balancers and browsers ask for without a key. A one-time sign-in may be guessed, and is not among it. */
const OPEN_PATH = /^\/(?:api\/(?:health|openapi\.json|docs)|console(?!\/sign-in))(?:[/?]|$)/;
/** Beyond that the address counted first is forgotten: memory stays bounded, and strangers shut out no one with a key. */
const MAX_ADDRESSES = 50_000;

const isKeyed = (url: string) => url.startsWith(KEYED_PREFIX) && !url.startsWith(OPERATOR_PREFIX);
const isOpen = (url: string) => OPEN_PATH.test(url) || url.startsWith(OPERATOR_PREFIX);

interface StrangerBudgetDependencies {
  config: Pick<GatewayConfig, 'FAILED_AUTH_LIMIT' | 'OPEN_LIMIT' | 'TRUSTED_PROXIES'>;
  keys: Pick<KeyCache, 'knows'>;
  /** A monotonic clock. */
  nowMs: () => number;
  maxAddresses?: number;
}

/**
 * What each client address may ask for without a valid key in a minute, checked before anything else is done for a
 * request. There are two budgets: one for the open paths and those of the operator, so that these go on, and one for all
 * other requests without a valid key. Keys that this gateway knows are never refused here.
 */
export class StrangerBudget {
  readonly #deps: StrangerBudgetDependencies;
  readonly #strange: MemoryCounts;
  readonly #open: MemoryCounts;
  /** Until then some address may have no budget left. Most of the time none has, and keyed requests need no look. */
  #someSpentUntilMs = -Infinity;

  constructor(deps: StrangerBudgetDependencies) {
    const { nowMs, maxAddresses = MAX_ADDRESSES } = deps;
    this.#deps = deps;
    this.#strange = new MemoryCounts(nowMs, maxAddresses);
    this.#open = new MemoryCounts(nowMs, maxAddresses);
  }

  /** Counts the request unless it carries what may be a key. Returns the spent budget of a request to refuse. */
  check(req: IncomingMessage): Count | undefined {
    const { config } = this.#deps;
    const url = req.url ?? '';
    const secret = isKeyed(url) ? presentedSecret(req.headers) : undefined;
    if (secret === undefined) {
      const address = clientAddress(req, config.TRUSTED_PROXIES);
      if (isOpen(url)) return this.#take(this.#open, address, config.OPEN_LIMIT);
      return this.#take(this.#strange, address, config.FAILED_AUTH_LIMIT);
    }
    return this.recheck(req);
  }

  /** As `check`, without counting, of a request that was let in a while ago: others may have spent the budget since. */
  recheck(req: IncomingMessage): Count | undefined {
    const { config, keys, nowMs } = this.#deps;
    if (nowMs() >= this.#someSpentUntilMs || !isKeyed(req.url ?? '')) return undefined;
    const secret = presentedSecret(req.headers);
    if (secret === undefined || keys.knows(secret)) return undefined;
    return this.#spent(this.#strange, clientAddress(req, config.TRUSTED_PROXIES), config.FAILED_AUTH_LIMIT);
  }

  /** Counts a key that turned out to be unknown. */
  countRefusedKey(req: IncomingMessage): void {
    const { FAILED_AUTH_LIMIT, TRUSTED_PROXIES } = this.#deps.config;
    this.#take(this.#strange, clientAddress(req, TRUSTED_PROXIES), FAILED_AUTH_LIMIT);
  }

  /** Counts bytes that are no request. Returns the spent budget where there is none left to answer them from. */
  checkBroken({ remoteAddress = '' }: Socket): Count | undefined {
    return this.#take(this.#strange, networkOf(remoteAddress), this.#deps.config.FAILED_AUTH_LIMIT);
  }

  #take(counts: MemoryCounts, address: string, limit: number): Count | undefined {
    const spent = this.#spent(counts, address, limit);
    if (spent) return spent;
    const counted = counts.increment(address);
    if (counts === this.#strange && counted.hits >= limit)
      this.#someSpentUntilMs = this.#deps.nowMs() + counted.resetInMs;
    return undefined;
  }

  #spent(counts: MemoryCounts, address: string, limit: number): Count | undefined {
    const counted = counts.get(address);
    return counted && counted.hits >= limit ? counted : undefined;
  }
}

/** What stands where a key is expected, if it can be one: of `Authorization: Bearer`, or else of `X-API-Key`. */
export function presentedSecret(headers: IncomingHttpHeaders): string | undefined {
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  const secret = bearer ?? headers['x-api-key']?.toString();
  return secret === undefined || secret === '' || secret.length > MAX_SECRET_LENGTH ? undefined : secret;
}
