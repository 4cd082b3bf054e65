import type { Kysely } from 'kysely';
import type { Clock } from '#shared/clock.ts';
import { CursorSigner } from '#shared/cursor.ts';
import type { IdSource } from '#shared/ids.ts';
import type { Logger } from '#shared/logger.ts';
import { purgeExpired } from '#shared/postgres/purge-expired.ts';
import { repeat } from '#shared/repeat.ts';
import { DeliveryStore } from './store/delivery-store.ts';
import { EventStore } from './store/event-store.ts';
import type { WebhooksTables } from './store/tables.ts';
import { WebhookStore } from './store/webhook-store.ts';
import { Webhooks } from './webhooks.ts';

const PURGE_PAUSE_MS = 600_000;

interface WebhooksServiceDependencies {
  database: Kysely<WebhooksTables>;
  cursorSecrets: readonly [string, ...string[]];
  eventRetentionDays: number;
  clock: Clock;
  newId: IdSource;
  log: Logger;
}

/** The webhooks service without its gRPC side. */
export function createWebhooks(deps: WebhooksServiceDependencies) {
  const { database, cursorSecrets, eventRetentionDays: retentionDays, clock, newId, log } = deps;
  const cursors = new CursorSigner(cursorSecrets);
  const deliveries = new DeliveryStore(newId);
  const events = new EventStore(database, deliveries);
  return {
    events,
    webhooks: new Webhooks({ store: new WebhookStore(database), cursors }),
    /** Starts the background work. Returns a function that stops it and waits for work in progress. */
    startBackground: () => {
      const stopping = new AbortController();
      const purge = () => purgeExpired(events, { clock, retentionDays }, stopping.signal);
      const stops = [repeat('removing old events', PURGE_PAUSE_MS, purge, log)];
      return () => {
        stopping.abort();
        return Promise.all(stops.map((stop) => stop()));
      };
    },
  };
}
