import type {
  ListAllEndUsersRequest,
  ListAllEventsRequest,
  ListAllScreenRunsRequest,
  RunState,
  ScreenRunEvent,
  UsageEvent,
  UsageServiceService,
} from '#proto/saring/usage/v1/usage.ts';
import type { RecordedStatus } from '#proto/saring/wire/v1/words.ts';
import type { Call } from '#platform/grpc/call-context.ts';
import type { Handlers } from '#platform/grpc/server.ts';
import { invalidRequest } from '#foundation/errors/invalid-request.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import type { CursorSigner } from '#platform/paging/cursor.ts';
import { aboutPage, pageOf, type Page, type PageRequest } from '#platform/paging/pages.ts';
import type { EventFilter, EventPosition, Reach, RecordedRuns } from './store/event-conditions.ts';
import type { Ledger, LedgerEvent } from './store/ledger.ts';
import type { RequestCounts } from './store/request-counts.ts';
import type { ScreenRun, ScreenRunLedger } from './store/screen-run-ledger.ts';
import type { UsageCounts } from './store/usage-counts.ts';
import type { RunToFind, UnrecordedRuns } from './store/unrecorded-runs.ts';

type UsageHandlers = Handlers<UsageServiceService>;
type RequestOf<Method extends keyof UsageHandlers> = Parameters<UsageHandlers[Method]>[0];

interface UsageServer {
  ledger: Ledger;
  counts: UsageCounts;
  screenRuns: ScreenRunLedger;
  unrecorded: UnrecordedRuns;
  requestCounts: RequestCounts;
  cursors: CursorSigner;
}

/** gRPC handlers of the usage service: usage of a single key, which the caller has authenticated, and of every key or one that it names. */
export function usageHandlers(server: UsageServer): UsageHandlers {
  const { ledger, counts, screenRuns, unrecorded, requestCounts, cursors } = server;
  const eventsOf =
    (list: 'own' | 'all') =>
    async (request: ListAllEventsRequest, { signal }: Call) => {
      const { channel, end_user: endUser, model_id: modelId, status, since, until } = request;
      const filter = { of: reachOf(request), channel, endUser, modelId, status, since, until };
      const page = await historyPage(ledger, { list, filter, cursors }, request, signal);
      return { events: page.rows.map(toUsageEvent), ...aboutPage(page) };
    };
  const summary = async (request: RequestOf<'summarizeAllUsage'>, { signal }: Call) => {
    const { group_by, channel, since, until } = request;
    const filter = { of: reachOf(request), channel, since, until };
    return { group_by, ...(await counts.byGroup(filter, group_by, signal)) };
  };
  const endUsers = async (request: ListAllEndUsersRequest, { signal }: Call) => {
    const filter = { of: reachOf(request), since: request.since };
    const end_users = await counts.byEndUser(filter, request.limit, signal);
    return { end_users, count: end_users.length };
  };
  const screenRunsOf =
    (list: 'own screens' | 'all screens') =>
    async (request: ListAllScreenRunsRequest, { signal }: Call) => {
      const filter = ofScreens(request);
      const page = await historyPage(screenRuns, { list, filter, cursors }, request, signal);
      return { runs: page.rows.map(toScreenRun), ...aboutPage(page) };
    };
  const screenSummary = async (request: RequestOf<'summarizeAllScreenRuns'>, { signal }: Call) => {
    const { group_by } = request;
    return { group_by, ...(await screenRuns.byGroup(ofScreens(request), group_by, signal)) };
  };
  return {
    listEvents: eventsOf('own'),
    listAllEvents: eventsOf('all'),
    getEvent: async ({ api_key_id, event_id }, { signal }) => {
      const event = await ledger.find(api_key_id, event_id, signal);
      if (!event) throw new ServiceError('usage_event_not_found', 'There is no such usage event.');
      return { event: toUsageEvent(event) };
    },
    summarizeUsage: summary,
    summarizeAllUsage: summary,
    listEndUsers: endUsers,
    listAllEndUsers: endUsers,
    listKeyUsage: async ({ since }, { signal }) => {
      const keys = await counts.byKey({ of: 'every key', since }, signal);
      return { keys, count: keys.length };
    },
    listScreenRuns: screenRunsOf('own screens'),
    listAllScreenRuns: screenRunsOf('all screens'),
    summarizeScreenRuns: screenSummary,
    summarizeAllScreenRuns: screenSummary,
    // For the models service, which has a record of every run.
    findUnrecorded: async ({ runs }, { signal }) => {
      const wanted = requireRuns(runs);
      const uptime_seconds = await unrecorded.uptimeSeconds(signal);
      return { ...(await unrecorded.find(wanted, signal)), uptime_seconds };
    },
    // Requests as the gateways have counted them.
    recordRequests: async ({ batch_id, counts: counted }) => {
      await requestCounts.record(batch_id, counted);
      return {};
    },
    summarizeRequests: async ({ api_key_id, since, until }, { signal }) => {
      const rows = await requestCounts.byOutcome({ of: { apiKeyId: api_key_id }, since, until }, signal);
      return { rows, count: rows.length };
    },
  };
}

interface HistoryList {
  /**
   * The list that a cursor belongs to: one key's own runs, or the operator's list of all. A cursor works in one only.
   */
  list: 'own' | 'all' | 'own screens' | 'all screens';
  filter: EventFilter;
  cursors: CursorSigner;
}

/**
 * A page of recorded runs, newest first.
 * @throws ServiceError invalid_cursor or usage_unavailable
 */
function historyPage<Run extends EventPosition>(
  runs: Pick<RecordedRuns<Run>, 'newest'>,
  { list, filter, cursors }: HistoryList,
  page: PageRequest,
  signal: AbortSignal,
): Promise<Page<Run>> {
  const { of, since, until, ...rest } = filter;
  const apiKeyId = of === 'every key' ? undefined : of.apiKeyId;
  return pageOf(page, {
    cursors,
    scope: { ...rest, list, apiKeyId, since: since?.getTime(), until: until?.getTime() },
    read: (after, limit) =>
      runs.newest(filter, after && { ts: new Date(after.at), event_id: after.id }, limit, signal),
    positionOf: ({ ts, event_id }) => ({ at: ts.getTime(), id: event_id }),
  });
}

/** Requests of a key always name it. */
function reachOf({ api_key_id }: { api_key_id?: string | undefined }): Reach {
  return api_key_id === undefined ? 'every key' : { apiKeyId: api_key_id };
}

function ofScreens(request: Omit<ListAllScreenRunsRequest, 'limit' | 'cursor'>): EventFilter {
  const { end_user: endUser, screen_id: screenId, kind, since, until } = request;
  return { of: reachOf(request), endUser, screenId, kind, since, until };
}

function toScreenRun({ screen_id, version, ...run }: ScreenRun): ScreenRunEvent {
  return { ...run, screen_id: screen_id || undefined, version: version || undefined };
}

/** The runs of a request. Each must have a time. */
function requireRuns(runs: RunState[]): RunToFind[] {
  return runs.map(({ event_id, api_key_id, ts, status }) => {
    if (!ts) throw invalidRequest([{ loc: ['runs', 'ts'], msg: 'must be given', type: 'missing' }]);
    return { event_id, api_key_id, ts, status: status as RecordedStatus };
  });
}

/**
 * The API contract requires a summary for every event. A run that has not succeeded gets no picks and the analysis date
 * from its parameters. The ledger stores null as the pick count of a run that has not succeeded; here it becomes 0.
 */
function toUsageEvent({ pick_count, tickers, target_date, ...event }: LedgerEvent): UsageEvent {
  const day = target_date ?? event.params['analysis_date'];
  const summary =
    typeof day === 'string' ? { pick_count: pick_count ?? 0, tickers, target_date: day } : undefined;
  return { ...event, summary };
}
