import { erasureOf, storedItem, type EndUserData, type EndUserOf } from '#shared/end-users/end-user-data.ts';
import type { EventFilter, EventPosition } from './event-conditions.ts';
import type { Ledger } from './ledger.ts';

const KIND = 'usage_events';
const PAGE = 200;

/** The recorded runs of an end user. The contract has every run recorded as it was asserted, so they stay until they expire. */
export function endUserEvents(ledger: Pick<Ledger, 'newest' | 'count'>, retentionDays: number): EndUserData {
  const expiry = retentionDays === 0 ? 'for ever, as is set' : `until they are ${retentionDays} days old`;
  const reason = `the contract has every run recorded with its end user and parameters; they stay ${expiry} (USAGE_RETENTION_DAYS)`;
  return {
    async *stored(of) {
      let after: EventPosition | undefined;
      for (;;) {
        const events = await ledger.newest(filterOf(of), after, PAGE, NEVER);
        for (const event of events) yield storedItem(KIND, event);
        if (events.length < PAGE) return;
        after = events.at(-1)!;
      }
    },
    erase: async (of) =>
      erasureOf({}, [{ kind: KIND, count: await ledger.count(filterOf(of), NEVER), reason }]),
  };
}

/** Every read of the ledger has a deadline of its own. */
const NEVER = new AbortController().signal;

function filterOf({ api_key_id, end_user }: EndUserOf): EventFilter {
  return { of: api_key_id === undefined ? 'every key' : { apiKeyId: api_key_id }, endUser: end_user };
}
