import type { RequestHandler, Request, Response } from 'express';
import type { ApiKey } from '#proto/saring/keys/v1/keys.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import type { HeaderPairs } from '../request/request-context.ts';
import { secondsToWait, WINDOW_MS, type Count, type Counts } from './rate-limit-counts.ts';
import { clientAddress } from '../request/request-context.ts';

/** Counts every authenticated request against the current limit of its key, whatever the outcome of the request. */
export function limitPerKey(counts: Counts): RequestHandler {
  return ({ context }, res, next) => {
    const { id = '', rate_limit_per_minute: limit = 0 } = context.key ?? {};
    const admit = (counted: Count) => {
      context.limitHeaders = limitHeaders(limit, counted);
      if (counted.hits > limit) throw spentLimit(limit, secondsToWait(counted), res);
      next();
    };
    const counted = counts.increment(id);
    return counted instanceof Promise ? counted.then(admit) : admit(counted);
  };
}

function limitHeaders(limit: number, counted: Count): HeaderPairs {
  const remaining = Math.max(0, limit - counted.hits);
  return [
    ...['X-RateLimit-Limit', limit],
    ...['X-RateLimit-Remaining', remaining],
    ...['X-RateLimit-Reset', Math.ceil((Date.now() + counted.resetInMs) / 1_000)],
    ...['RateLimit-Policy', `${limit};w=${WINDOW_MS / 1_000}`],
    ...['RateLimit', `limit=${limit}, remaining=${remaining}, reset=${secondsToWait(counted)}`],
  ];
}

/** Refuses a key that has spent its limit, without counting the request. */
export async function requireLeft(counts: Counts, key: ApiKey, res: Response): Promise<void> {
  const counted = await counts.get(key.id);
  const limit = key.rate_limit_per_minute;
  if (counted && counted.hits >= limit) throw spentLimit(limit, secondsToWait(counted), res);
}

function spentLimit(limit: number, secondsLeft: number, res: Response): ServiceError {
  res.setHeader('Retry-After', secondsLeft);
  return new ServiceError(
    'rate_limited',
    `This key may send ${limit} requests per minute. Wait, then try again.`,
  );
}

/** How many unknown keys a client address may try. */
export interface RefusalBudget {
  /** Whether the address has none left. */
  isSpent: (req: Request) => Promise<boolean>;
  /** Counts a refused key. Throws rate_limited when the budget is spent. */
  count: RequestHandler;
}

/**
 * Counts refused keys per client address, in the same store as the counts of keys: gateways that share the one share
 * the other. Each gateway counts other requests of unauthenticated clients alone (`UnauthenticatedBudget`).
 */
export function refusalBudget(
  { FAILED_AUTH_LIMIT: perMinute, TRUSTED_PROXIES }: { FAILED_AUTH_LIMIT: number; TRUSTED_PROXIES: number },
  counts: Counts,
): RefusalBudget {
  /** No key id has this prefix. */
  const idOf = (req: Request) => `address:${clientAddress(req, TRUSTED_PROXIES)}`;
  return {
    isSpent: async (req) => {
      const counted = await counts.get(idOf(req));
      return counted !== undefined && counted.hits >= perMinute;
    },
    count: async (req, res, next) => {
      const counted = await counts.increment(idOf(req));
      if (counted.hits <= perMinute) return next();
      res.setHeader('Retry-After', secondsToWait(counted));
      next(
        new ServiceError('rate_limited', 'Too many requests with unknown API keys came from this address.'),
      );
    },
  };
}
