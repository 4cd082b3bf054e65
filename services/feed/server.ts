import type {
  Fetch,
  FeedServiceService,
  TrySourceRequest,
  TrySourceResponse,
} from '#proto/saring/feed/v1/feed.ts';
import type { Handlers } from '#platform/grpc/server.ts';
import { invalidRequest } from '#foundation/errors/invalid-request.ts';
import { withDatabase } from '#platform/postgres/postgres-unavailable.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import type { Feed } from './feed.ts';
import type { SourcesDependencies } from './sources/create-sources.ts';
import { checkedDefinition } from './sources/definition.ts';
import { SourceFailure } from './deliveries/source-failure.ts';
import { tried } from './sources/trial.ts';
import type { FetchRow, FetchStore } from './store/fetch-store.ts';

/** The gRPC handlers of the feed. While its database is unavailable, every call but TrySource fails with data_unavailable. */
export function feedHandlers({
  feed,
  fetches,
  surroundings,
}: {
  feed: Feed;
  fetches: FetchStore;
  surroundings: SourcesDependencies;
}): Handlers<FeedServiceService> {
  return {
    listSources: async () => ({ sources: await whileThere(() => feed.list()) }),
    runSource: async ({ source, from, to }) => ({
      source: await whileThere(() => feed.run(source, from, to)),
    }),
    pauseSource: async ({ source, reason }) => ({
      source: await whileThere(() => feed.pause(source, reason.trim())),
    }),
    resumeSource: async ({ source }) => ({ source: await whileThere(() => feed.resume(source)) }),
    listFetches: async ({ limit, ...filter }) => ({
      fetches: (await whileThere(() => fetches.list(filter, limit))).map(toFetch),
    }),
    trySource: (request, call) => tryOut(request, surroundings, call.signal),
  };
}

async function tryOut(
  { definition: json, day, rows, folder = process.cwd() }: TrySourceRequest,
  surroundings: SourcesDependencies,
  signal: AbortSignal,
): Promise<TrySourceResponse> {
  const checked = await checkedDefinition(parsed(json), folder);
  if ('mistakes' in checked)
    throw invalidRequest(
      checked.mistakes.map(({ loc, ...rest }) => ({ ...rest, loc: ['definition', ...loc] })),
    );
  try {
    const { rowsInAll, ...trial } = await tried(checked.definition, { day, rows }, surroundings, signal);
    return { ...trial, rows: trial.rows.map((values) => ({ values })), rows_in_all: rowsInAll };
  } catch (error) {
    if (!(error instanceof SourceFailure)) throw error;
    throw new ServiceError('import_rejected', `${error.problem}: ${error.message}`, { cause: error });
  }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    const msg = `must be JSON: ${(error as Error).message}`;
    throw invalidRequest([{ loc: ['definition'], msg, type: 'json_invalid' }]);
  }
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
