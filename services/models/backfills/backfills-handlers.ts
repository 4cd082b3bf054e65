import type { Backfill, BackfillPage, BackfillsServiceService } from '#proto/saring/models/v1/backfills.ts';
import type { Handlers } from '#shared/grpc/server.ts';
import { jakartaDateTime } from '#shared/jakarta-time.ts';
import type { BackfillPageRow, CountedBackfill } from '../store/backfill-store.ts';
import { orUnavailable } from '../unavailable.ts';
import type { Backfills } from './backfills.ts';

/** The gRPC face of backfills. */
export function backfillsHandlers(backfills: Backfills): Handlers<BackfillsServiceService> {
  return {
    startBackfill: (request) =>
      orUnavailable(async () => {
        const { backfill, replayed } = await backfills.start(request);
        return { backfill: toBackfill(backfill), replayed };
      }),
    getBackfill: ({ backfill_id, api_key_id }) =>
      orUnavailable(async () => ({ backfill: toBackfill(await backfills.get(backfill_id, api_key_id)) })),
    listBackfills: ({ api_key_id, limit }) =>
      orUnavailable(async () => {
        const found = (await backfills.newest(api_key_id, limit)).map(toBackfill);
        return { backfills: found, count: found.length };
      }),
    listBackfillPages: ({ backfill_id, api_key_id, after = '', limit }) =>
      orUnavailable(async () => {
        const found = await backfills.pages(backfill_id, api_key_id, { after, limit: limit + 1 });
        const pages = found.slice(0, limit);
        const next = found.length > limit ? pages.at(-1)!.as_of : undefined;
        return {
          pages: pages.map(toPage),
          count: pages.length,
          next_url: next && `${pagesUrl(backfill_id)}?after=${next}&limit=${limit}`,
        };
      }),
    cancelBackfill: ({ backfill_id, api_key_id }) =>
      orUnavailable(async () => ({ backfill: toBackfill(await backfills.cancel(backfill_id, api_key_id)) })),
  };
}

function pagesUrl(backfillId: string): string {
  return `/api/v1/backfills/${backfillId}/pages`;
}

function toBackfill(row: CountedBackfill): Backfill {
  const { backfill_id, model_id, status, params, step, end_user } = row;
  return {
    backfill_id,
    model_id,
    status,
    params,
    step,
    end_user,
    from: row.from_day,
    to: row.to_day,
    days_total: row.days.length,
    days_done: row.done,
    days_failed: row.failed,
    created_at: jakartaDateTime(row.created_at),
    finished_at: row.finished_at ? jakartaDateTime(row.finished_at) : undefined,
    error_message: row.error_message ?? undefined,
    error_english: row.error_english ?? undefined,
    is_history: true,
    pages_url: pagesUrl(backfill_id),
  };
}

function toPage(row: BackfillPageRow): BackfillPage {
  return {
    day: {
      as_of: row.as_of,
      status: row.result_json === null ? 'failed' : 'succeeded',
      dataset_version: row.dataset_version ?? undefined,
      pick_count: row.tickers.length,
      tickers: row.tickers,
      error_message: row.error_message ?? undefined,
      error_english: row.error_english ?? undefined,
      is_history: true,
    },
    result_json: row.result_json === null ? undefined : Buffer.from(row.result_json),
    result_english: row.english,
  };
}
