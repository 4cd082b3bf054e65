import { hash } from 'node:crypto';
import { AckPolicy, type JsMsg } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import type { Kysely } from 'kysely';
import { mistakeIn } from '#events/event-type.ts';
import { EVENT_TYPES, isEventType } from '#events/registry.ts';
import { EventTold } from '#proto/saring/events/v1/told.ts';
import type { KeysServiceService } from '#proto/saring/keys/v1/keys.ts';
import type { Clock } from '#foundation/clock.ts';
import type { ServiceClient } from '#platform/grpc/client.ts';
import { isTestKey } from '#foundation/test-market.ts';
import { randomId } from '#foundation/ids.ts';
import type { Logger } from '#platform/operations/logger.ts';
import type { Nats } from '#platform/nats/connection.ts';
import { pull } from '#platform/nats/pull.ts';
import { isPostgresUnavailable } from '#platform/postgres/postgres-unavailable.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import type { ArrivedEvent, EventStore } from '../store/event-store.ts';
import type { WebhooksTables } from '../store/tables.ts';

const STREAM = 'EVENTS';
/** All copies share it. */
const CONSUMER = 'webhooks';
/** Messages stored in one transaction. */
const BATCH = 100;
/** Keys that are told of something in one transaction. */
const KEYS_AT_ONCE = 200;
/** What a crashed process had received goes to another one after this time. */
const ACK_WAIT_MS = 10_000;
/** How long a message waits before redelivery if the database, or the service of keys, did not answer. */
const RETRY_MS = 1_000;
/** An event that was refused so often, by a database that answers, will never be stored. */
const MAX_REFUSALS = 5;

interface EventIntakeDependencies {
  database: Kysely<WebhooksTables>;
  store: Pick<EventStore, 'append'>;
  keys: Pick<ServiceClient<KeysServiceService>, 'listKeysWithScope'>;
  clock: Clock;
  log: Logger;
  /** Called after new events of these keys were stored. */
  onStored: (apiKeyIds: readonly string[]) => void;
}

interface ReceivedEvent {
  message: JsMsg;
  event: ArrivedEvent;
}

/** Messages of the stream that are not stored yet; 0 while NATS does not say. */
export async function waitingEvents({ jsm }: Pick<Nats, 'jsm'>): Promise<number> {
  const info = await jsm.consumers.info(STREAM, CONSUMER).catch(() => undefined);
  return info ? info.num_pending + info.num_ack_pending : 0;
}

/**
 * Moves events from the stream into their table: receive, store, and only then acknowledge. An event that comes again is stored
 * once. Any number of copies share the work.
 */
export class EventIntake {
  readonly #deps: EventIntakeDependencies;
  readonly #waiting: ReceivedEvent[] = [];
  #storing: Promise<void> | undefined;
  /** Events for many keys are told one after the other, and hold up no others. */
  #telling = Promise.resolve();

  constructor(deps: EventIntakeDependencies) {
    this.#deps = deps;
  }

  /** Follows the stream until `signal` aborts, and ends what it has begun. */
  async follow(nats: Nats, signal: AbortSignal): Promise<void> {
    const consumer = {
      durable_name: CONSUMER,
      ack_policy: AckPolicy.Explicit,
      ack_wait: nanos(ACK_WAIT_MS),
      max_ack_pending: 4 * BATCH,
    };
    const options = { stream: STREAM, consumer, batch: BATCH, log: this.#deps.log };
    for await (const message of pull(nats, options, signal)) this.#receive(message, signal);
    await Promise.all([this.#storing, this.#telling]);
  }

  #receive(message: JsMsg, signal: AbortSignal): void {
    const told = readEvent(message.data);
    if (typeof told === 'string') return this.#drop(message, told);
    const { api_key_id, ...event } = told;
    if (api_key_id === undefined) {
      this.#telling = this.#telling.then(() => this.#tellMany(message, event, signal));
      return;
    }
    this.#waiting.push({ message, event: { ...event, api_key_id, received_at: this.#deps.clock() } });
    this.#storing ??= this.#storeWaiting().finally(() => (this.#storing = undefined));
  }

  /** What has arrived meanwhile goes together, since each transaction waits for the disk. Never throws. */
  async #storeWaiting(): Promise<void> {
    while (this.#waiting.length > 0) await this.#storeAll(this.#waiting.splice(0, BATCH));
  }

  /** Together, or each alone if one is refused: it does not hold up the others. */
  async #storeAll(batch: readonly ReceivedEvent[]): Promise<void> {
    try {
      await this.#store(batch.map(({ event }) => event));
      for (const { message } of batch) message.ack();
    } catch (error) {
      if (batch.length === 1 || isPostgresUnavailable(error))
        batch.forEach(({ message }) => this.#later(message, error));
      else for (const one of batch) await this.#storeAll([one]);
    }
  }

  async #store(events: readonly ArrivedEvent[]): Promise<void> {
    const { database, store, onStored } = this.#deps;
    const apiKeyIds = await database.transaction().execute((tx) => store.append(tx, events));
    if (apiKeyIds.length > 0) onStored(apiKeyIds);
  }

  /**
   * Stores an event for every key that has the scope of its type. The id of each is made from the event's and the key's, so that one
   * that is told again after a crash is stored once. Never throws.
   */
  async #tellMany(
    message: JsMsg,
    event: Omit<ArrivedEvent, 'api_key_id' | 'received_at'>,
    signal: AbortSignal,
  ): Promise<void> {
    const { keys, clock } = this.#deps;
    const scope = EVENT_TYPES[event.type as keyof typeof EVENT_TYPES].toldTo;
    try {
      for (let after = ''; ;) {
        if (signal.aborted) return message.nak();
        message.working();
        const request = { scope, after, limit: KEYS_AT_ONCE };
        const { ids } = await keys.listKeysWithScope(request, { requestId: randomId('req'), signal });
        const received_at = clock();
        // News of the served market are none for keys that see another one.
        const ofKeys = ids
          .filter((id) => !isTestKey(id))
          .map((api_key_id) => {
            const event_id = `evt_${hash('sha256', `${event.event_id} ${api_key_id}`, 'hex').slice(0, 24)}`;
            return { ...event, event_id, api_key_id, received_at };
          });
        if (ofKeys.length > 0) await this.#store(ofKeys);
        if (ids.length < KEYS_AT_ONCE) break;
        after = ids.at(-1)!;
      }
      message.ack();
    } catch (error) {
      this.#later(message, error);
    }
  }

  #later(message: JsMsg, error: unknown): void {
    const isUnavailable = isPostgresUnavailable(error) || error instanceof ServiceError;
    const reason = (error as Error).message;
    if (!isUnavailable && message.info.deliveryCount >= MAX_REFUSALS) return this.#drop(message, reason);
    this.#deps.log.warn({ seq: message.seq, reason }, 'event not stored yet');
    message.nak(RETRY_MS);
  }

  #drop(message: JsMsg, reason: string): void {
    const { seq, subject } = message;
    this.#deps.log.error({ seq, subject, reason }, 'an event can never be stored and is dropped');
    message.term(reason);
  }
}

type Told = Omit<ArrivedEvent, 'api_key_id' | 'received_at'> & { api_key_id: string | undefined };

/** The event of a message, or why it is none. */
function readEvent(bytes: Uint8Array): Told | string {
  let told: EventTold;
  try {
    told = EventTold.decode(bytes);
  } catch (error) {
    return (error as Error).message;
  }
  const { event_id, api_key_id, type, occurred_at, data = {} } = told;
  if (!isEventType(type)) return `unknown type ${type}`;
  if (!event_id || !occurred_at) return 'no id, or no time';
  if ((api_key_id !== undefined) !== (EVENT_TYPES[type].toldTo === 'its key'))
    return `wrong readers of ${type}`;
  const mistake = mistakeIn(EVENT_TYPES[type], data);
  if (mistake) return `${type}: ${mistake}`;
  return { event_id, api_key_id, type, occurred_at, data };
}
