import type { Request, RequestHandler } from 'express';
import { ipKeyGenerator, rateLimit, type Options } from 'express-rate-limit';
import { ServiceError } from '#shared/service-error.ts';

const WINDOW_MS = 60_000;

/** The library's own checks look for mistakes in its set-up, at each request's expense. */
const common = { windowMs: WINDOW_MS, validate: false } satisfies Partial<Options>;

/**
 * Counts every authenticated request against its key's own limit, whatever becomes of it. Counts live in this
 * process: with several gateways a key's budget is per gateway.
 */
export function limitPerKey(): RequestHandler {
  return rateLimit({
    ...common,
    limit: (req) => req.context.key?.rate_limit_per_minute ?? 0,
    keyGenerator: (req) => req.context.key?.id ?? '',
    legacyHeaders: true,
    standardHeaders: 'draft-7',
    handler: (req, _res, next) => {
      const limit = req.context.key?.rate_limit_per_minute;
      next(
        new ServiceError('rate_limited', `This key may send ${limit} requests per minute. Wait, then go on.`),
      );
    },
  });
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
    ...common,
    limit: perMinute,
    keyGenerator: addressOf,
    requestPropertyName: 'refusals',
    legacyHeaders: false,
    standardHeaders: false,
    handler: (req, res, next) => {
      const { resetTime } = (req as Request & { refusals: { resetTime: Date } }).refusals;
      const seconds = Math.max(1, Math.ceil((resetTime.getTime() - Date.now()) / 1_000));
      res.setHeader('Retry-After', seconds);
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
