import { refuse } from '#shared/invalid-request.ts';
import { filterMistakes, limitMistakes, requireGrouping } from './request-checks.ts';
import type { EventFilter } from './store/event-conditions.ts';
import type { Grouping } from './store/grouping.ts';
import type { EndUserRuns, KeyRuns, RunGroup, UsageCounts } from './store/usage-counts.ts';

const MAX_END_USERS = 1_000;

/** What a key's usage, or that of every key, adds up to. Each call throws invalid_request or usage_unavailable. */
export class UsageReports {
  readonly #counts: UsageCounts;

  constructor(counts: UsageCounts) {
    this.#counts = counts;
  }

  async summarize(
    filter: EventFilter,
    groupBy: { name: string; allowed: readonly Grouping[] },
    signal: AbortSignal,
  ): Promise<{ totalRuns: number; groups: RunGroup[] }> {
    refuse(filterMistakes(filter));
    return this.#counts.byGroup(filter, requireGrouping(groupBy.name, groupBy.allowed), signal);
  }

  async endUsers(filter: EventFilter, limit: number, signal: AbortSignal): Promise<EndUserRuns[]> {
    refuse(filterMistakes(filter), limitMistakes(limit, MAX_END_USERS));
    return this.#counts.byEndUser(filter, limit, signal);
  }

  async keys(filter: EventFilter, signal: AbortSignal): Promise<KeyRuns[]> {
    refuse(filterMistakes(filter));
    return this.#counts.byKey(filter, signal);
  }
}
