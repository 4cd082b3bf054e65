import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql, type Kysely } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { CursorSigner } from '#platform/paging/cursor.ts';
import { randomId } from '#foundation/ids.ts';
import { createLogger } from '#platform/operations/logger.ts';
import { openPostgres } from '#platform/postgres/open-postgres.ts';
import { Outbox } from '#platform/postgres/outbox.ts';
import { createDelivering, type DeliveringDependencies } from '#services/webhooks/create-delivering.ts';
import type { Resolve } from '#services/webhooks/sending/resolve.ts';
import { EventStore } from '#services/webhooks/store/event-store.ts';
import { migrations } from '#services/webhooks/store/migrations/index.ts';
import type { WebhooksTables } from '#services/webhooks/store/tables.ts';
import { ownServers } from '../servers/servers.ts';

export const KEY = 'key_one';
export const OTHER_KEY = 'key_two';
export const WEBHOOK_SECRET_KEY = 'key-of-secrets-of-the-tests';
/** Test receivers listen there. */
export const LOOPBACK = '127.0.0.0/8';
const START = '2026-11-20T09:00:00Z';

export type WebhooksUnderTest = ReturnType<TestWebhooks['copy']>;
type Overrides = Partial<DeliveringDependencies['sending']>;

/** The part of the webhooks service that delivers, on its own PostgreSQL, with a clock that stands until a test moves it. */
class TestWebhooks {
  readonly servers: { databaseUrl: string; natsUrl: string };
  database!: Kysely<WebhooksTables>;
  now = new Date(START);
  /** Answers of DNS by name. Each question takes the first of several that are left. */
  readonly dns = new Map<string, string[][]>();

  constructor(servers: { databaseUrl: string; natsUrl: string }) {
    this.servers = servers;
  }

  /** A copy of the service, without its background work. */
  copy(sending: Overrides = {}) {
    const resolve: Resolve = async (name) => {
      const answers = this.dns.get(name);
      const answer = answers && answers.length > 1 ? answers.shift() : answers?.[0];
      if (!answer) throw Object.assign(new Error(`no ${name}`), { code: 'ENOTFOUND' });
      return answer;
    };
    const { database } = this;
    const log = createLogger('test', 'silent');
    const delivering = createDelivering({
      ...{ database, log, outbox: new Outbox({ database, log }) },
      cursors: new CursorSigner(['cursor-secret-of-the-tests']),
      secretKeys: [WEBHOOK_SECRET_KEY],
      eventRetentionDays: 30,
      webhooksPerKey: 1_500,
      sending: {
        allowedRanges: [LOOPBACK],
        ports: [{ from: 1, to: 65_535 }],
        resolve,
        attemptTimeoutMs: 10_000,
        endpointsAtOnce: 100,
        perEndpoint: 4,
        ...sending,
      },
      clock: () => this.now,
      random: () => 0.5,
      newId: randomId,
    });
    return { ...delivering, events: new EventStore(database, delivering.deliveryStore) };
  }

  pass(ms: number): void {
    this.now = new Date(this.now.getTime() + ms);
  }

  /** Stores an event as it arrives from the stream. Returns its id. */
  async arrive(
    { events }: Pick<WebhooksUnderTest, 'events'>,
    {
      key = KEY,
      type = 'run.succeeded',
      data = {},
    }: { key?: string; type?: string; data?: Record<string, unknown> } = {},
  ): Promise<string> {
    const event_id = randomId('evt');
    const [occurred_at, received_at] = [this.now, this.now];
    const event = { event_id, api_key_id: key, type, occurred_at, received_at, data };
    await this.database.transaction().execute((tx) => events.append(tx, [event]));
    return event_id;
  }
}

/** Attempts what is due now, and waits until its outcome is written. */
export async function attemptDue({ dispatcher }: Pick<WebhooksUnderTest, 'dispatcher'>): Promise<void> {
  await dispatcher.round();
  await dispatcher.settled();
}

/** Gives a test file its own PostgreSQL. Before each test its tables are empty and the clock is set back. Call at the top level of the file. */
export function testWebhooks(): TestWebhooks {
  const own = new TestWebhooks(ownServers());
  const log = createLogger('test', 'silent');
  beforeAll(async () => {
    const url = own.servers.databaseUrl;
    own.database = await openPostgres<WebhooksTables>({ url, schema: 'webhooks', migrations, log });
  });
  beforeEach(async () => {
    own.now = new Date(START);
    await sql`truncate webhook, event, event_sequence, outbox cascade`.execute(own.database);
  });
  afterAll(() => own.database?.destroy());
  return own;
}

interface Received {
  headers: IncomingHttpHeaders;
  body: string;
  /** The event's `type`, and its id. */
  type: string;
  id: string;
}

/** How a receiver answers. */
export type Answer = RequestListener;

export const saysOk: Answer = (_request, response) => response.writeHead(200).end('thanks');
export const saying =
  (status: number, headers: Record<string, string> = {}): Answer =>
  (_request, response) =>
    response.writeHead(status, headers).end();
export const hangs: Answer = () => {};

/** An application that receives events. */
export class Receiver {
  readonly received: Received[] = [];
  readonly #server: Server;
  answer: Answer;

  private constructor(answer: Answer) {
    this.answer = answer;
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = Buffer.concat(chunks).toString();
        const { type, id } = JSON.parse(body) as { type: string; id: string };
        this.received.push({ headers: request.headers, body, type, id });
        this.answer(request, response);
      });
    });
  }

  static async start(answer: Answer = saysOk): Promise<Receiver> {
    const receiver = new Receiver(answer);
    receiver.#server.listen(0, '127.0.0.1');
    await once(receiver.#server, 'listening');
    return receiver;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/hook`;
  }

  get ids(): string[] {
    return this.received.map(({ id }) => id);
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

/** Receivers that end with their test. Call at the top level of the file. */
export function receivers(): (answer?: Answer) => Promise<Receiver> {
  const started: Receiver[] = [];
  afterEach(() => {
    for (const receiver of started.splice(0)) receiver.stop();
  });
  return async (answer) => {
    const receiver = await Receiver.start(answer);
    started.push(receiver);
    return receiver;
  };
}
