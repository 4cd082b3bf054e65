import { CursorSigner } from '#platform/paging/cursor.ts';
import { NewestTradingDay } from '#shared/market/newest-trading-day.ts';
import type { Nats } from '#platform/nats/connection.ts';
import { NatsPresence } from '#platform/nats/nats-presence.ts';
import { RowWatchers } from '#platform/nats/row-watchers.ts';
import { subjects } from '#platform/nats/subjects.ts';
import { Outbox } from '#platform/postgres/outbox.ts';
import { purgeExpired } from '#platform/postgres/purge-expired.ts';
import { repeat } from '#platform/process/repeat.ts';
import type { connectServices } from './connect-services.ts';
import { createDelivering, type DeliveringDependencies } from './create-delivering.ts';
import { EventIntake, waitingEvents } from './events/event-intake.ts';
import { Events } from './events/events.ts';
import { PublishedDatasets } from './events/published-datasets.ts';
import { endUserEvents, EventStore } from './store/event-store.ts';

const DATASET_PAUSE_MS = 1_000;
const PURGE_PAUSE_MS = 600_000;

interface WebhooksServiceDependencies extends Omit<DeliveringDependencies, 'cursors' | 'outbox'> {
  nats: Nats;
  clients: Omit<ReturnType<typeof connectServices>, 'close'>;
  cursorSecrets: readonly [string, ...string[]];
}

/** The webhooks service without its gRPC side. */
export function createWebhooks(deps: WebhooksServiceDependencies) {
  const { database, nats, clients, cursorSecrets, eventRetentionDays: retentionDays, clock, log } = deps;
  const cursors = new CursorSigner(cursorSecrets);
  const outbox = new Outbox({ database, log });
  outbox.publishTo(nats);
  const { start: startDelivering, ...delivering } = createDelivering({ ...deps, cursors, outbox });
  const eventStore = new EventStore(database, delivering.deliveryStore);
  const { connection } = nats;
  const watchers = new RowWatchers(connection, subjects.eventsStored, new NatsPresence(connection));
  const newest = new NewestTradingDay({ datasets: clients.datasets, log });
  return {
    outbox,
    events: new Events({ store: eventStore, watchers }),
    endUsers: endUserEvents({ store: eventStore, waiting: () => waitingEvents(nats) }),
    ...delivering,
    /** Starts the background work. Returns a function that stops it and waits for work in progress. */
    startBackground: () => {
      const stopping = new AbortController();
      const { signal } = stopping;
      const intake = new EventIntake({
        ...{ ...clients, database, store: eventStore, clock, log },
        onStored: (apiKeyIds) => {
          for (const id of apiKeyIds) watchers.announce(id);
          delivering.dispatcher.wake();
        },
      });
      const datasets = new PublishedDatasets({ ...clients, database, outbox, newest, clock });
      const kept = { clock, retentionDays };
      const following = [intake.follow(nats, signal), newest.follow(signal), startDelivering(signal)];
      const stops = [
        repeat('telling of new datasets', DATASET_PAUSE_MS, () => datasets.tellNew(), log),
        repeat('removing old events', PURGE_PAUSE_MS, () => purgeExpired(eventStore, kept, signal), log),
        repeat('forgetting old datasets', PURGE_PAUSE_MS, () => purgeExpired(datasets, kept, signal), log),
        outbox.start(),
      ];
      return () => {
        stopping.abort();
        return Promise.all([...following, ...stops.map((stop) => stop())]);
      };
    },
  };
}
