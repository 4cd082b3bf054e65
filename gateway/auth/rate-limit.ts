import type { Request, RequestHandler } from 'express';
import { ipKeyGenerator, MemoryStore, rateLimit, type Options } from 'express-rate-limit';
import { ServiceError } from '#shared/service-error.ts';

const WINDOW_MS = 60_000;

/**
 * Counts every authenticated request against its key's own limit, whatever becomes of it. Counts live in this
 * process: with several gateways a key's budget is per gateway. Of the library only the counting is used: its
 * middleware, which looks at addresses that do not matter here, costs a quick request a tenth of its time.
 */
export function limitPerKey(): RequestHandler {
  const counts = new MemoryStore();
  counts.init({ windowMs: WINDOW_MS } as Options);
  return async (req, res, next) => {
    const { id = '', rate_limit_per_minute: limit = 0 } = req.context.key ?? {};
    const { totalHits, resetTime } = await counts.increment(id);
    const resetMs = resetTime!.getTime();
    const secondsLeft = secondsUntil(resetMs);
    const remaining = Math.max(0, limit - totalHits);
    res.setHeader('X-RateLimit-Limit', limit);
    res.setHeader('X-RateLimit-Remaining', remaining);
    res.setHeader('X-RateLimit-Reset', Math.ceil(resetMs / 1_000));
    res.setHeader('RateLimit-Policy', `${limit};w=${WINDOW_MS / 1_000}`);
    res.setHeader('RateLimit', `limit=${limit}, remaining=${remaining}, reset=${secondsLeft}`);
    if (totalHits <= limit) return next();
    res.setHeader('Retry-After', secondsLeft);
    throw new ServiceError(
      'rate_limited',
      `This key may send ${limit} requests per minute. Wait, then go on.`,
    );
  };
}

/** At least one: a client that comes back at once would be refused again. */
function secondsUntil(moment: number): number {
  return Math.max(1, Math.ceil((moment - Date.now()) / 1_000));
}

/** How many unknown keys a client address may try. */
export interface RefusalBudget {
  /** Whether the address has none left. */
  isSpent: (req: Request) => Promise<boolean>;
  /** Counts a refused key, and fails with rate_limited when the budget is spent. */
  count: RequestHandler;
}

/** Counts refused keys per client address. */
export function refusalBudget(perMinute: number): RefusalBudget {
  const addressOf = (req: Request) => ipKeyGenerator(req.ip ?? '');
  const count = rateLimit({
    windowMs: WINDOW_MS,
    limit: perMinute,
    // The library's own checks look for mistakes in its set-up, at each request's expense.
    validate: false,
    keyGenerator: addressOf,
    requestPropertyName: 'refusals',
    legacyHeaders: false,
    standardHeaders: false,
    handler: (req, res, next) => {
      const { resetTime } = (req as Request & { refusals: { resetTime: Date } }).refusals;
      res.setHeader('Retry-After', secondsUntil(resetTime.getTime()));
      next(
        new ServiceError('rate_limited', 'Too many requests with unknown API keys came from this address.'),
      );
    },
  });
  const isSpent = async (req: Request) => {
    const counted = await count.getKey(addressOf(req));
    return counted !== undefined && counted.totalHits >= perMinute;
  };
  return { isSpent, count };
}
