import type { RequestHandler } from 'express';
import { ServiceError } from '#shared/service-error.ts';
import { secondsToWait, WINDOW_MS, type Counts } from './rate-limit-counts.ts';

/** Counts every authenticated request against its key's limit as it stands now, whatever becomes of the request. */
export function limitPerKey(counts: Counts): RequestHandler {
  return async (req, res, next) => {
    const { id = '', rate_limit_per_minute: limit = 0 } = req.context.key ?? {};
    const counted = await counts.increment(id);
    const secondsLeft = secondsToWait(counted);
    const remaining = Math.max(0, limit - counted.hits);
    res.setHeader('X-RateLimit-Limit', limit);
    res.setHeader('X-RateLimit-Remaining', remaining);
    res.setHeader('X-RateLimit-Reset', Math.ceil((Date.now() + counted.resetInMs) / 1_000));
    res.setHeader('RateLimit-Policy', `${limit};w=${WINDOW_MS / 1_000}`);
    res.setHeader('RateLimit', `limit=${limit}, remaining=${remaining}, reset=${secondsLeft}`);
    if (counted.hits <= limit) return next();
    res.setHeader('Retry-After', secondsLeft);
    throw new ServiceError(
      'rate_limited',
      `This key may send ${limit} requests per minute. Wait, then go on.`,
    );
  };
}
