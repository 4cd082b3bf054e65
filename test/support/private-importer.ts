import { Importer } from '#services/market-data/import/importer.ts';
import { brokerSynthesis } from '#services/market-data/import/synthesis/synthesize-broker-rows.ts';
import { DatasetStore } from '#services/market-data/store/dataset-store.ts';
import { migrations } from '#services/market-data/store/migrations/index.ts';
import { connectClickHouse, migrateClickHouse, type ClickHouseClient } from '#shared/clickhouse.ts';
import type { Clock } from '#shared/clock.ts';
import { createLogger } from '#shared/logger.ts';
import { PrivateServer } from './private-server.ts';

/** Statements of a whole market, on a machine that is busy. */
const STATEMENT_TIMEOUT_MS = 120_000;

/** The importer of market-data in this process, on a ClickHouse of its own, with nobody who answers from it. */
export class PrivateImporter {
  readonly sql: ClickHouseClient;
  readonly store: DatasetStore;
  readonly importer: Importer;
  readonly #server: PrivateServer;

  private constructor(server: PrivateServer, sql: ClickHouseClient, clock: Clock) {
    this.#server = server;
    this.sql = sql;
    this.store = new DatasetStore(sql);
    this.importer = new Importer({
      client: sql,
      store: this.store,
      clock,
      log: createLogger('test', 'silent'),
      synthesize: brokerSynthesis(server.url, sql),
      ready: async () => {},
      announce: async () => {},
    });
  }

  /** @param clock says which days have not come yet */
  static async start(clock: Clock): Promise<PrivateImporter> {
    const server = await PrivateServer.clickhouse();
    const sql = connectClickHouse(server.url, STATEMENT_TIMEOUT_MS);
    await migrateClickHouse(sql, 'market', migrations);
    return new PrivateImporter(server, sql, clock);
  }

  /** Stops the server and removes its data. */
  async stop(): Promise<void> {
    await this.sql.close();
    await this.#server.remove();
  }
}
