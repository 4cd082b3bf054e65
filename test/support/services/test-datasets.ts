import { afterAll, beforeAll } from 'vitest';
import type { Dataset, ImportOutcome } from '#proto/saring/market_data/v1/datasets.ts';
import { PrivateImporter } from '#evaluation/private-importer.ts';
import { DatasetImports } from '#services/market-data/import/dataset-imports.ts';
import { Progress } from '#services/market-data/import/request/progress.ts';
import { systemClock as clock } from '#foundation/clock.ts';
import { PrivateServer } from '../servers/private-server.ts';
import { uploadOf, type UploadOptions } from './dataset-client.ts';
import { TestedDatasets } from './tested-datasets.ts';

/** Imports uploads as the market-data service does, but in this process and without serving what was imported. */
class OwnDatasets extends TestedDatasets {
  #importer!: PrivateImporter;
  #imports!: DatasetImports;

  async start(): Promise<void> {
    const server = await PrivateServer.clickhouse();
    this.#importer = await PrivateImporter.on({
      at: { url: server.url },
      clock,
      remove: () => server.remove(),
    });
    this.#imports = new DatasetImports(this.#importer.importer, { tickers: 1, days: 1 });
    this.sql = this.#importer.sql;
  }

  async stop(): Promise<void> {
    await this.#importer?.stop();
  }

  importBytes(bytes: Buffer, options: UploadOptions = {}): Promise<ImportOutcome> {
    const { signal } = new AbortController();
    const work = { progress: new Progress(), signal, actor: 'test' };
    return this.#imports.upload(uploadOf(bytes, options), work);
  }

  /** The first refused rows of the newest version. */
  async refusedRows(limit: number) {
    return (await this.#importer.store.rejectedRows('', limit)).rows;
  }

  protected listed(): Promise<Dataset[]> {
    return this.#importer.store.list();
  }
}

/** Gives a test file such imports with their own store. Call at the top level of the file. */
export function ownDatasets(): OwnDatasets {
  const own = new OwnDatasets();
  beforeAll(() => own.start());
  afterAll(() => own.stop());
  return own;
}
