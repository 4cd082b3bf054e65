import type { Kysely } from 'kysely';
import type { Clock } from '#foundation/clock.ts';
import type { CursorSigner } from '#platform/paging/cursor.ts';
import type { IdSource } from '#foundation/ids.ts';
import type { Logger } from '#platform/operations/logger.ts';
import type { Outbox } from '#platform/postgres/outbox.ts';
import { purgeExpired } from '#platform/postgres/purge-expired.ts';
import { repeat } from '#platform/process/repeat.ts';
import { Deliveries } from './deliveries.ts';
import { Dispatcher } from './dispatch/dispatcher.ts';
import { giveUpOld, type RandomSource } from './dispatch/schedule.ts';
import { SecretBox } from './signing/secrets.ts';
import { AddressGuard } from './sending/address-guard.ts';
import type { PortRanges } from './sending/endpoint-url.ts';
import type { Resolve } from './sending/resolve.ts';
import { Sender } from './sending/sender.ts';
import { ClaimStore } from './store/claim-store.ts';
import { DeliveryStore } from './store/delivery-store.ts';
import type { WebhooksTables } from './store/tables.ts';
import { WebhookStore } from './store/webhook-store.ts';
import { Webhooks } from './webhooks.ts';

const PURGE_PAUSE_MS = 600_000;
const GIVE_UP_PAUSE_MS = 60_000;
const REMOVE_PAUSE_MS = 5_000;

export interface DeliveringDependencies {
  database: Kysely<WebhooksTables>;
  outbox: Outbox<WebhooksTables>;
  cursors: CursorSigner;
  /** Under which the secrets of webhooks are encrypted. */
  secretKeys: readonly [string, ...string[]];
  eventRetentionDays: number;
  webhooksPerKey: number;
  sending: {
    allowedRanges: readonly string[];
    ports: PortRanges;
    resolve: Resolve;
    attemptTimeoutMs: number;
    endpointsAtOnce: number;
    perEndpoint: number;
  };
  clock: Clock;
  random: RandomSource;
  newId: IdSource;
  log: Logger;
}

/** The part of the service that keeps webhooks and delivers the stored events to them. */
export function createDelivering(deps: DeliveringDependencies) {
  const { database, outbox, cursors, sending, clock, random, newId, log } = deps;
  const { allowedRanges, ports, resolve, attemptTimeoutMs: timeoutMs, ...limits } = sending;
  const secrets = new SecretBox(deps.secretKeys);
  const sender = new Sender({ guard: new AddressGuard(allowedRanges), ports, resolve, timeoutMs });
  const deliveryStore = new DeliveryStore(database, newId);
  const claims = new ClaimStore(database);
  const dispatcher = new Dispatcher({
    ...{ store: claims, sender, secrets, outbox, limits, clock, random, log },
  });
  const onDue = () => dispatcher.wake();
  const store = new WebhookStore(database);
  const webhooks = new Webhooks({
    ...{ store, secrets, sender, cursors, ports, onDue, clock, newId },
    limit: deps.webhooksPerKey,
  });
  return {
    store,
    deliveryStore,
    claims,
    dispatcher,
    webhooks,
    deliveries: new Deliveries({ store: deliveryStore, webhooks, cursors, onDue, clock, newId }),
    /** Delivers until the signal aborts. Resolves when nothing is in progress. */
    start: async (signal: AbortSignal): Promise<void> => {
      const kept = { clock, retentionDays: deps.eventRetentionDays };
      const purge = () => purgeExpired(deliveryStore, kept, signal);
      const stops = [
        repeat('removing old tests of webhooks', PURGE_PAUSE_MS, purge, log),
        repeat('removing deleted webhooks', REMOVE_PAUSE_MS, () => store.removeDeleted(signal), log),
        repeat('giving deliveries up', GIVE_UP_PAUSE_MS, () => giveUpOld(claims, clock, signal), log),
      ];
      await dispatcher.run(signal);
      await Promise.all(stops.map((stop) => stop()));
    },
  };
}
