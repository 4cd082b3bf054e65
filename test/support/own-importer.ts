import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll } from 'vitest';
import type { Dataset, ImportOutcome } from '#proto/saring/market_data/v1/datasets.ts';
import type { ArchivedFile } from '#services/market-data/import/archive.ts';
import { USUAL_ASSUMPTIONS } from '#services/market-data/import/broker/broker-layout.ts';
import type { ImportSource } from '#services/market-data/import/import-source.ts';
import { Importer } from '#services/market-data/import/importer.ts';
import { Progress } from '#services/market-data/import/progress.ts';
import { brokerSynthesis } from '#services/market-data/import/synthesis/synthesize-broker-rows.ts';
import { DatasetStore } from '#services/market-data/store/dataset-store.ts';
import { migrations } from '#services/market-data/store/migrations/index.ts';
import { connectClickHouse, migrateClickHouse, type ClickHouseClient } from '#shared/clickhouse.ts';
import { createLogger } from '#shared/logger.ts';
import { PrivateServer } from './private-server.ts';

/** The importer of market-data in this process, on a ClickHouse of its own, with nobody who answers from it. */
export class OwnImporter {
  sql!: ClickHouseClient;
  store!: DatasetStore;
  #server!: PrivateServer;
  #importer!: Importer;

  async start(): Promise<void> {
    this.#server = await PrivateServer.clickhouse();
    this.sql = connectClickHouse(this.#server.url);
    await migrateClickHouse(this.sql, 'market', migrations);
    this.store = new DatasetStore(this.sql);
    this.#importer = new Importer({
      client: this.sql,
      store: this.store,
      clock: () => new Date('2026-11-20T03:00:00Z'),
      log: createLogger('test', 'silent'),
      synthesize: brokerSynthesis(this.#server.url, this.sql),
      ready: async () => {},
      announce: async () => {},
    });
  }

  async stop(): Promise<void> {
    await this.sql?.close();
    await this.#server?.remove();
  }

  /** Imports files by path. Whole, they become a version whatever is there; else they are added to the newest. */
  async import(files: Record<string, string>, { adds }: { adds: boolean }): Promise<ImportOutcome> {
    const source: ImportSource = {
      kind: 'real',
      source: 'test',
      files: archived(files),
      sha256: () => (adds ? sha256(JSON.stringify(files)) : sha256(randomBytes(16))),
      adds,
      brokers: { synthesizes: false, ...USUAL_ASSUMPTIONS },
    };
    return this.#importer.run(source, new Progress(), new AbortController().signal);
  }

  /** Every bar of a version, all but the version's name. */
  async bars({ version }: Dataset): Promise<Record<string, unknown>[]> {
    const answer = await this.sql.query({
      query: `SELECT * EXCEPT dataset_version FROM market.daily_bar
              WHERE dataset_version = {version:String} ORDER BY ticker, date`,
      query_params: { version },
      format: 'JSONEachRow',
    });
    return answer.json();
  }
}

/** Gives a test file an importer and a store of its own. Call at the top level of the file. */
export function ownImporter(): OwnImporter {
  const own = new OwnImporter();
  beforeAll(() => own.start());
  afterAll(() => own.stop());
  return own;
}

async function* archived(files: Record<string, string>): AsyncGenerator<ArchivedFile> {
  for (const [path, text] of Object.entries(files)) yield { path, bytes: pieces(text) };
}

async function* pieces(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}

function sha256(bytes: string | Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
