import type { CursorSigner } from '#platform/paging/cursor.ts';
import { pageOf, type Page, type PageRequest } from '#platform/paging/pages.ts';
import type { EventFilter, EventPosition, RecordedRuns } from './store/event-conditions.ts';

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
export function historyPage<Run extends EventPosition>(
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
