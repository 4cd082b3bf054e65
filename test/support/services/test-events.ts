import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { afterAll, beforeAll, expect } from 'vitest';
import type { Dataset } from '#proto/saring/market_data/v1/datasets.ts';
import { systemClock as clock } from '#foundation/clock.ts';
import { eventFor } from '#platform/postgres/outbox-event.ts';
import type { CallOptions } from '#platform/grpc/client.ts';
import { randomId } from '#foundation/ids.ts';
import { createLogger } from '#platform/operations/logger.ts';
import { connectNats, type Nats } from '#platform/nats/connection.ts';
import { openPostgres } from '#platform/postgres/open-postgres.ts';
import type { OutboxMessage } from '#platform/postgres/outbox.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { createWebhooks } from '#services/webhooks/create-webhooks.ts';
import { migrations } from '#services/webhooks/store/migrations/index.ts';
import type { WebhooksTables } from '#services/webhooks/store/tables.ts';
import { exampleNamed } from '../message-examples.ts';
import { ownServers } from '../servers/servers.ts';

const log = createLogger('test', 'silent');

type Copy = ReturnType<typeof createWebhooks>;

/** Two copies of the webhooks service on their own servers, without gRPC, and fakes of the services that they call. */
class TestEvents {
  database!: Kysely<WebhooksTables>;
  /** A connection that may publish on every subject. */
  nats!: Nats;
  copies: Copy[] = [];
  /** The keys that may read data; a failure while undefined. */
  readers: string[] | undefined = [];
  served: Dataset | undefined;
  #stops: (() => Promise<unknown>)[] = [];
  #databaseUrl = '';
  #natsUrl = '';

  async start(servers: { databaseUrl: string; natsUrl: string }): Promise<void> {
    [this.#databaseUrl, this.#natsUrl] = [servers.databaseUrl, servers.natsUrl];
    const target = { url: this.#databaseUrl, schema: 'webhooks', migrations, log };
    this.database = await openPostgres<WebhooksTables>(target);
    // The service that declares the stream.
    this.nats = await connectNats(this.#natsUrl, 'models', log);
    await this.startCopies();
  }

  async startCopies(): Promise<void> {
    for (let i = 0; i < 2; i++) this.copies.push(await this.#startCopy());
  }

  async #startCopy(): Promise<Copy> {
    const nats = await connectNats(this.#natsUrl, 'webhooks', log);
    const copy = createWebhooks({
      database: this.database,
      nats,
      clients: {
        keys: {
          listKeysWithScope: async (request: { after: string; limit: number }) => this.#keysAfter(request),
        },
        datasets: {
          getCurrentDataset: async () => ({ dataset: this.served, data_loaded: true, lost_version: '' }),
          watchDataset: (_: object, { signal }: CallOptions) => this.#versions(signal),
        },
      } as unknown as Parameters<typeof createWebhooks>[0]['clients'],
      cursorSecrets: ['cursor-secret-of-the-tests'],
      eventRetentionDays: 3,
      secretKeys: ['key-of-secrets-of-the-tests'],
      webhooksPerKey: 20,
      sending: {
        allowedRanges: [],
        ports: [],
        resolve: async () => [],
        attemptTimeoutMs: 10_000,
        endpointsAtOnce: 1,
        perEndpoint: 1,
      },
      random: Math.random,
      clock,
      newId: randomId,
      log,
    });
    const stop = copy.startBackground();
    this.#stops.push(async () => {
      await stop();
      await nats.connection.close();
    });
    return copy;
  }

  async stopCopies(): Promise<void> {
    this.copies = [];
    await Promise.all(this.#stops.splice(0).map((stop) => stop()));
  }

  async stop(): Promise<void> {
    await this.stopCopies();
    await this.nats?.connection.close();
    await this.database?.destroy();
  }

  #keysAfter({ after, limit }: { after: string; limit: number }): { ids: string[] } {
    if (!this.readers) throw new ServiceError('data_unavailable', 'Keys are unavailable.');
    return {
      ids: this.readers
        .toSorted()
        .filter((id) => id > after)
        .slice(0, limit),
    };
  }

  async *#versions(signal: AbortSignal | undefined) {
    while (!signal?.aborted) {
      yield { version: this.served?.version ?? '', today: '2026-11-20' };
      await sleep(20);
    }
  }

  serve(version: string, published_at = new Date()): void {
    const example = exampleNamed<Dataset>('market_data.v1.Dataset');
    this.served = { ...example, version, kind: 'real', whole_until: '2026-11-20', published_at };
  }

  /** An event of a key that is no more than its id. */
  eventOf(apiKeyId: string): OutboxMessage {
    const data = { webhook_id: 'wh_test' };
    return eventFor('webhooks', apiKeyId, { type: 'webhook.test', data, at: new Date() });
  }

  async publish(
    { message_id, subject, message }: OutboxMessage,
    msgID: string | null = message_id,
  ): Promise<void> {
    await this.nats.js.publish(subject, message, msgID === null ? {} : { msgID });
  }

  /** Waits until every message of the stream was processed. */
  async untilStored(): Promise<void> {
    const left = async () => (await this.nats.jsm.streams.info('EVENTS')).state.messages;
    await expect.poll(left).toBe(0);
  }

  /** The stored events of a key as numbers and ids. */
  async stored(apiKeyId: string): Promise<{ sequence: number; event_id: string; type: string }[]> {
    const rows = await this.database
      .selectFrom('event')
      .select(['sequence', 'event_id', 'type'])
      .where('api_key_id', '=', apiKeyId)
      .orderBy('sequence')
      .execute();
    return rows.map(({ sequence, ...row }) => ({ ...row, sequence: Number(sequence) }));
  }
}

/** Gives a test file the service. Call at the top level of the file. */
export function testEvents(): TestEvents {
  const servers = ownServers();
  const own = new TestEvents();
  beforeAll(() => own.start(servers));
  afterAll(() => own.stop());
  return own;
}
