import type { PathOf, TakesKey } from './api-types.ts';

/**
 * Why a POST may be repeated: the server recognises its idempotency key, or doing it twice has the same effect as once. `never`
 * if it could do twice what the caller wants once.
 */
export const REPEATABLE: {
  [P in PathOf<'post'>]: TakesKey<P> extends true ? 'by its key' : 'by nature' | 'never';
} = {
  '/api/v1/models/{model_id}/runs': 'by its key',
  '/api/v1/consent': 'by its key',
  '/api/v1/jobs/{job_id}/cancel': 'by nature',
  '/api/v1/models/{model_id}/backfills': 'by its key',
  '/api/v1/backfills/{backfill_id}/cancel': 'by nature',
  '/api/v1/data/compare': 'by nature',
  '/api/v1/data/turning-points': 'by nature',
  '/api/v1/screens': 'never',
  '/api/v1/screens/preview': 'by nature',
  '/api/v1/screens/{screen_id}/run': 'by its key',
  '/api/v1/sessions': 'never',
  '/api/v1/simulations': 'by its key',
  '/api/v1/watchlists': 'never',
  '/api/v1/webhooks': 'never',
  '/api/v1/webhooks/{webhook_id}/enable': 'by nature',
  '/api/v1/webhooks/{webhook_id}/disable': 'by nature',
  // Repeated, its secret before would be the one that nobody has seen.
  '/api/v1/webhooks/{webhook_id}/rotate': 'never',
  '/api/v1/webhooks/{webhook_id}/test': 'never',
  '/api/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver': 'never',
  '/api/v1/webhooks/{webhook_id}/redeliver': 'by nature',
};

/** undefined for a POST that must not be repeated, and for one that is not listed, as nothing is known of it. */
export function repeatableBy(path: string): 'by its key' | 'by nature' | undefined {
  const known = (REPEATABLE as Partial<Record<string, 'by its key' | 'by nature' | 'never'>>)[path];
  return known === 'never' ? undefined : known;
}
