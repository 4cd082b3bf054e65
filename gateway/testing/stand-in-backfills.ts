import type { Backfill, BackfillsServiceService } from '#proto/saring/models/v1/backfills.ts';
import type { Handlers } from '#shared/grpc/server.ts';
import { ServiceError } from '#shared/service-error.ts';
import { requireModel } from './stand-in-runs.ts';

export const BACKFILL_ID = 'bf_5f0c6f1e9a3b4d2c8e7f6a5b';

/** One backfill that has run one of its two days. */
export function backfillsStandIn(): Handlers<BackfillsServiceService> {
  const backfill = (request: Partial<Backfill> = {}): Backfill => ({
    backfill_id: BACKFILL_ID,
    model_id: 'model_f_combined',
    status: 'running',
    params: {},
    end_user: 'u1',
    from: '2024-06-17',
    to: '2024-06-28',
    step: 'week',
    days_total: 2,
    days_done: 1,
    days_failed: 0,
    created_at: '2024-06-28T17:00:00+07:00',
    finished_at: undefined,
    error_message: undefined,
    is_history: true,
    pages_url: `/api/v1/backfills/${BACKFILL_ID}/pages`,
    ...request,
  });
  const known = (backfill_id: string, change: Partial<Backfill> = {}) => {
    if (backfill_id !== BACKFILL_ID) throw new ServiceError('job_not_found', 'There is no such backfill.');
    return backfill(change);
  };
  return {
    startBackfill: async ({ model_id, from, to, step, end_user }) => {
      requireModel(model_id);
      return { backfill: backfill({ model_id, from, to, step, end_user }), replayed: false };
    },
    getBackfill: async ({ backfill_id }) => ({ backfill: known(backfill_id) }),
    listBackfills: async () => ({ backfills: [backfill()], count: 1 }),
    listBackfillPages: async ({ backfill_id }) => {
      known(backfill_id);
      const day = {
        as_of: '2024-06-21',
        status: 'failed',
        dataset_version: undefined,
        pick_count: 0,
        tickers: [],
        error_message: 'Data belum cukup.',
        is_history: true,
      };
      return { pages: [{ day, result_json: undefined, result_english: [] }], count: 1, next_url: undefined };
    },
    cancelBackfill: async ({ backfill_id }) => ({
      backfill: known(backfill_id, { status: 'failed', error_message: 'Dibatalkan.' }),
    }),
  };
}
