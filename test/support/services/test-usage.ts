import { createClient, type ClickHouseClient } from '@clickhouse/client';
import { afterAll, beforeAll, vi } from 'vitest';
import { UsageServiceService, type UsageEvent } from '#proto/saring/usage/v1/usage.ts';
import type { ServiceClient } from '#platform/grpc/client.ts';
import { createLogger } from '#platform/operations/logger.ts';
import { connectNats, type Nats } from '#platform/nats/connection.ts';
import { HANGS_AFTER_MS, IN_TIME } from '../hangs.ts';
import { clickhouseRows } from '#platform/clickhouse/rows.ts';
import { PrivateServer } from '../servers/private-server.ts';
import { clientOf, identityOf, startService, type ServiceProcess } from '../processes/service-process.ts';

type UsageClient = ServiceClient<UsageServiceService>;

const CALL = { requestId: 'req_test' };

/** A usage service with its own NATS and ClickHouse. Tests may kill all of them. */
export class TestUsage {
  nats!: PrivateServer;
  clickhouse!: PrivateServer;
  service!: ServiceProcess;
  /** A connection that publishes as the models service does. */
  publisher!: Nats;
  /** A connection that queries as an analyst does, but with all rights. */
  sql!: ClickHouseClient;
  #client: UsageClient | undefined;

  async startServers(): Promise<void> {
    [this.nats, this.clickhouse] = await Promise.all([PrivateServer.nats(), PrivateServer.clickhouse()]);
    this.publisher = await connectNats(this.nats.url, 'models', createLogger('test', 'silent'));
    this.sql = createClient({ url: this.clickhouse.url, keep_alive: { idle_socket_ttl: 1_000 } });
  }

  /**
   * Starts the service, by default on its own servers and with unlimited retention, because events of tests may be of any day.
   */
  async startService(env: Record<string, string> = {}): Promise<void> {
    this.service = await startService('usage', {
      NATS_URL: this.nats.urlOf('usage'),
      CLICKHOUSE_URL: this.clickhouse.urlOf('usage'),
      CURSOR_SECRET: 'cursor-secret-of-a-test',
      USAGE_RETENTION_DAYS: '0',
      ...env,
    });
    this.#client?.close();
    this.#client = clientOf(UsageServiceService, this.service.address, {
      unavailableCode: 'internal_error',
      timeoutMs: 2 * HANGS_AFTER_MS,
      identity: identityOf('gateway'),
    });
  }

  async stop(): Promise<void> {
    this.#client?.close();
    await this.service?.kill();
    await this.publisher?.connection.close();
    await this.sql?.close();
    await Promise.all([this.nats?.remove(), this.clickhouse?.remove()]);
  }

  list(request: Partial<Parameters<UsageClient['listEvents']>[0]>) {
    const whole = { api_key_id: 'key_a', since: undefined, until: undefined, limit: 50, ...request };
    return this.#client!.listEvents(whole, CALL);
  }

  /** A client with every call of the service. */
  get calls(): UsageClient {
    return this.#client!;
  }

  async get(api_key_id: string, event_id: string): Promise<UsageEvent> {
    return (await this.#client!.getEvent({ api_key_id, event_id }, CALL)).event!;
  }

  /** The first row of a query's result. */
  async row<Row>(query: string): Promise<Row> {
    return (await clickhouseRows<Row>(this.sql, query))[0]!;
  }

  /** How many rows the ledger holds for a key: `events` without replaced rows, `rows` with them. */
  async count(apiKeyId: string): Promise<{ events: number; rows: number }> {
    const where = `WHERE api_key_id = '${apiKeyId}'`;
    return this.row(`SELECT (SELECT toUInt32(count()) FROM usage.run_v1 ${where}) AS events,
      (SELECT toUInt32(count()) FROM usage.event ${where}) AS rows`);
  }

  /** How many messages the stream still holds. */
  async waiting(): Promise<number> {
    return (await this.publisher.jsm.streams.info('USAGE')).state.messages;
  }
}

/** Gives a test file its own usage service. Call at the top level of the file. */
export function testUsage(env: Record<string, string> = {}): TestUsage {
  const own = new TestUsage();
  beforeAll(async () => {
    await own.startServers();
    await own.startService(env);
    await vi.waitFor(() => own.list({}), IN_TIME);
  });
  afterAll(() => own.stop());
  return own;
}

interface Page {
  events: UsageEvent[];
  next_cursor?: string | undefined;
}

/** Every page from the first to the last. Calls `between` before each page but the first. */
export async function allPages(
  pageAt: (cursor: string | undefined) => Promise<Page>,
  between: () => Promise<unknown> = async () => {},
): Promise<Page[]> {
  const pages = [await pageAt(undefined)];
  for (let cursor = pages[0]!.next_cursor; cursor !== undefined; cursor = pages.at(-1)!.next_cursor) {
    await between();
    pages.push(await pageAt(cursor));
  }
  return pages;
}
