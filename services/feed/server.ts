import type { Fetch, FeedServiceService } from '#proto/saring/feed/v1/feed.ts';
import type { Handlers } from '#shared/grpc/server.ts';
import { withDatabase } from '#shared/postgres/postgres-away.ts';
import type { Feed } from './feed.ts';
import type { SourceTrial } from './source-trial.ts';
import type { FetchRow, FetchStore } from './store/fetch-store.ts';

/** The gRPC handlers of the feed. While its database is away, every call but TrySource fails with data_unavailable. */
export function feedHandlers({
  feed,
  fetches,
  trial,
}: {
  feed: Feed;
  fetches: FetchStore;
  trial: SourceTrial;
}): Handlers<FeedServiceService> {
  return {
    listSources: async () => ({ sources: await whileThere(() => feed.list()) }),
    runSource: async ({ source, from, to }) => ({ source: await whileThere(() => feed.run(source, from, to)) }),
    pauseSource: async ({ source, reason }) => ({
      source: await whileThere(() => feed.pause(source, reason.trim())),
    }),
    resumeSource: async ({ source }) => ({ source: await whileThere(() => feed.resume(source)) }),
    listFetches: async ({ limit, ...filter }) => ({
      fetches: (await whileThere(() => fetches.list(filter, limit))).map(toFetch),
    }),
    trySource: (request, call) => trial.of(request, call.signal),
  };
}

function whileThere<T>(work: () => Promise<T>): Promise<T> {
  const message = 'The feed cannot be read or changed at the moment. Try again.';
  return withDatabase('data_unavailable', message, work);
}

function toFetch({ digest: _, ...row }: FetchRow): Fetch {
  return {
    ...row,
    id: Number(row.id),
    ended_at: row.ended_at ?? undefined,
    problem: row.problem ?? undefined,
    reason: row.reason ?? undefined,
    bytes: Number(row.bytes),
    rows: Number(row.rows),
    rejected_rows: Number(row.rejected_rows),
    dataset_version: row.dataset_version ?? undefined,
  };
}
