import type { EventFilter } from './store/event-conditions.ts';
import type { Grouping } from '#proto/saring/wire/v1/words.ts';
import type { EndUserRuns, KeyRuns, RunGroup, UsageCounts } from './store/usage-counts.ts';

/** What a key's usage, or that of every key, adds up to. Each call throws invalid_request or usage_unavailable. */
export class UsageReports {
  readonly #counts: UsageCounts;

  constructor(counts: UsageCounts) {
    this.#counts = counts;
  }

  async summarize(
    filter: EventFilter,
    groupBy: Grouping,
    signal: AbortSignal,
  ): Promise<{ totalRuns: number; groups: RunGroup[] }> {
    return this.#counts.byGroup(filter, groupBy, signal);
  }

  async endUsers(filter: EventFilter, limit: number, signal: AbortSignal): Promise<EndUserRuns[]> {
    return this.#counts.byEndUser(filter, limit, signal);
  }

  async keys(filter: EventFilter, signal: AbortSignal): Promise<KeyRuns[]> {
    return this.#counts.byKey(filter, signal);
  }
}
