import { erasureOf, storedItem, type EndUserData, type EndUserOf } from '#shared/end-users/end-user-data.ts';
import type { EventFilter, EventPosition, RecordedRuns } from './event-conditions.ts';
import type { Ledger } from './ledger.ts';
import type { ScreenRunLedger } from './screen-run-ledger.ts';

const PAGE = 200;

/**
 * The recorded runs of an end user. The contract has every run of a model recorded as it was asserted, and runs of screens are
 * recorded in the same way, so they stay until they expire.
 */
export function endUserEvents(
  { ledger, screenRuns }: { ledger: Ledger; screenRuns: ScreenRunLedger },
  retentionDays: number,
): EndUserData {
  const expiry = retentionDays === 0 ? 'for ever, as is set' : `until they are ${retentionDays} days old`;
  const stay = `they stay ${expiry} (USAGE_RETENTION_DAYS)`;
  const ofModels = `the contract has every run recorded with its end user and parameters; ${stay}`;
  const ofScreens = `runs of screens are recorded as usage of the key; ${stay}`;
  return {
    async *stored(of) {
      for await (const event of allOf(ledger, of)) yield storedItem('usage_events', event);
      for await (const run of allOf(screenRuns, of)) yield storedItem('screen_runs', run);
    },
    erase: async (of) => {
      const filter = filterOf(of);
      return erasureOf({}, [
        { kind: 'usage_events', count: await ledger.count(filter, NEVER), reason: ofModels },
        { kind: 'screen_runs', count: await screenRuns.count(filter, NEVER), reason: ofScreens },
      ]);
    },
  };
}

async function* allOf<Event extends EventPosition>(
  kind: RecordedRuns<Event>,
  of: EndUserOf,
): AsyncGenerator<Event> {
  let after: EventPosition | undefined;
  for (;;) {
    const events = await kind.newest(filterOf(of), after, PAGE, NEVER);
    yield* events;
    if (events.length < PAGE) return;
    after = events.at(-1)!;
  }
}

/** Every read of the ledger has a deadline of its own. */
const NEVER = new AbortController().signal;

function filterOf({ api_key_id, end_user }: EndUserOf): EventFilter {
  return { of: api_key_id === undefined ? 'every key' : { apiKeyId: api_key_id }, endUser: end_user };
}
