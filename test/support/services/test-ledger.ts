import type { ClickHouseClient } from '@clickhouse/client';
import { afterAll, beforeAll } from 'vitest';
import { migrations as marketMigrations } from '#services/market-data/store/migrations/index.ts';
import { migrations as usageMigrations } from '#services/usage/store/migrations/index.ts';
import type { ClickHouseAddress } from '#platform/clickhouse/address.ts';
import { connectClickHouse } from '#platform/clickhouse/clickhouse.ts';
import { migrateClickHouse } from '#platform/clickhouse/migrate.ts';
import { ANALYST, PrivateServer } from '../servers/private-server.ts';

/** A ClickHouse server with both databases as the services create them, and an analyst who queries it. */
export class TestLedger {
  /** A connection with all rights. */
  sql!: ClickHouseClient;
  #server: PrivateServer | undefined;
  #url!: string;

  async start(): Promise<void> {
    this.#server = await PrivateServer.clickhouse();
    await this.startOn({ url: this.#server.url });
  }

  /** Uses an existing store and leaves it in place. The analyst queries its first server. */
  async startOn(at: ClickHouseAddress): Promise<void> {
    this.#url = at.url.split(',')[0]!;
    this.sql = connectClickHouse(at);
    await migrateClickHouse(this.sql, 'usage', usageMigrations);
    await migrateClickHouse(this.sql, 'market', marketMigrations);
  }

  async stop(): Promise<void> {
    await this.sql?.close();
    await this.#server?.remove();
  }

  /**
   * Answers the analyst's HTTP request only when the query is complete, so that errors have a status.
   * @param more further parameters of the URL
   */
  async ask(query: string, more: Record<string, string> = {}): Promise<{ ok: boolean; text: string }> {
    const url = new URL(this.#url);
    const address = `${url.origin}/?${new URLSearchParams({ wait_end_of_query: '1', ...more }).toString()}`;
    const login = Buffer.from(`${ANALYST.user}:${ANALYST.password}`).toString('base64');
    const response = await fetch(address, {
      method: 'POST',
      body: query,
      headers: { authorization: `Basic ${login}` },
      signal: AbortSignal.timeout(20_000),
    });
    return { ok: response.ok, text: (await response.text()).trim() };
  }

  /** ClickHouse's code for the error; empty if the query succeeded. */
  async refusal(query: string, more: Record<string, string> = {}): Promise<string> {
    const { ok, text } = await this.ask(query, more);
    return ok ? '' : (/\(([A-Z_0-9]+)\) \(version/.exec(text)?.[1] ?? text);
  }

  /** Rows as the analyst receives them, counts as numbers. Parameters of the query are given by name. */
  async rows<Row = Record<string, unknown>>(
    query: string,
    params: Record<string, string | number> = {},
  ): Promise<Row[]> {
    const given = Object.entries(params).map(([name, value]) => [`param_${name}`, String(value)]);
    const { ok, text } = await this.ask(query, {
      ...(Object.fromEntries(given) as Record<string, string>),
      default_format: 'JSONEachRow',
      output_format_json_quote_64bit_integers: '0',
    });
    if (!ok) throw new Error(text);
    return text === '' ? [] : text.split('\n').map((line) => JSON.parse(line) as Row);
  }
}

/** Gives a test file its own ledger. Call at the top level of the file. */
export function testLedger(): TestLedger {
  const own = new TestLedger();
  beforeAll(() => own.start());
  afterAll(() => own.stop());
  return own;
}
