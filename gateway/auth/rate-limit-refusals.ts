import type { Request, RequestHandler } from 'express';
import { ipKeyGenerator } from 'express-rate-limit';
import { ServiceError } from '#shared/service-error.ts';
import { secondsToWait, type Counts } from './rate-limit-counts.ts';

/** How many unknown keys a client address may try. */
export interface RefusalBudget {
  /** Whether the address has none left. */
  isSpent: (req: Request) => Promise<boolean>;
  /** Counts a refused key, and fails with rate_limited when the budget is spent. */
  count: RequestHandler;
}

/** Counts refused keys per client address, among the counts of keys. */
export function refusalBudget(perMinute: number, counts: Counts): RefusalBudget {
  return {
    isSpent: async (req) => {
      const counted = await counts.get(addressOf(req));
      return counted !== undefined && counted.hits >= perMinute;
    },
    count: async (req, res, next) => {
      const counted = await counts.increment(addressOf(req));
      if (counted.hits <= perMinute) return next();
      res.setHeader('Retry-After', secondsToWait(counted));
      next(
        new ServiceError('rate_limited', 'Too many requests with unknown API keys came from this address.'),
      );
    },
  };
}

/** No key's id begins so. A whole IPv6 network counts as one address, since its user has all of them. */
function addressOf({ ip }: Request): string {
  return `address:${ipKeyGenerator(ip ?? '')}`;
}
