import type { PathOf, TakesKey } from './api-types.ts';

/** Why a POST may be repeated: the server knows its key again, or it does nothing that a second one would do twice. */
const REPEATABLE: { [P in PathOf<'post'>]: TakesKey<P> extends true ? 'by its key' : 'by nature' } = {
  '/api/v1/models/{model_id}/runs': 'by its key',
  '/api/v1/consent': 'by its key',
  '/api/v1/jobs/{job_id}/cancel': 'by nature',
  '/api/v1/models/{model_id}/backfills': 'by its key',
  '/api/v1/backfills/{backfill_id}/cancel': 'by nature',
  '/api/v1/data/compare': 'by nature',
  '/api/v1/data/turning-points': 'by nature',
};

/** Nothing is known of a POST that is not listed. */
export function repeatableBy(path: string): 'by its key' | 'by nature' | undefined {
  return (REPEATABLE as Partial<Record<string, 'by its key' | 'by nature'>>)[path];
}
