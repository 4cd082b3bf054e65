import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll } from 'vitest';
import type { Dataset, ImportOutcome } from '#proto/saring/market_data/v1/datasets.ts';
import type { ArchivedFile } from '#services/market-data/import/files/archive.ts';
import { USUAL_ASSUMPTIONS } from '#shared/data-format/broker-layout.ts';
import type { ImportSource } from '#services/market-data/import/request/import-source.ts';
import { Progress } from '#services/market-data/import/request/progress.ts';
import type { DatasetStore } from '#services/market-data/store/dataset-store.ts';
import type { TradingCalendar } from '#quant/exchange/calendar/trading-calendar.ts';
import type { ClickHouseAddress } from '#platform/clickhouse/address.ts';
import type { ClickHouseClient } from '#platform/clickhouse/clickhouse.ts';
import { PrivateImporter } from '#evaluation/private-importer.ts';
import { clickhouseRows } from '#platform/clickhouse/rows.ts';
import { PrivateServer } from '../servers/private-server.ts';

const CLOCK = () => new Date('2026-11-20T03:00:00Z');

/** Imports files that a test makes up into its own store. */
export class TestImporter {
  #own!: PrivateImporter;

  get sql(): ClickHouseClient {
    return this.#own.sql;
  }

  get store(): DatasetStore {
    return this.#own.store;
  }

  async start(): Promise<void> {
    const server = await PrivateServer.clickhouse();
    this.#own = await PrivateImporter.on({ at: server, clock: CLOCK, remove: () => server.remove() });
  }

  /** Uses an existing store and leaves it in place. */
  async startOn(at: ClickHouseAddress, calendar?: TradingCalendar): Promise<void> {
    this.#own = await PrivateImporter.on({ at, clock: CLOCK, calendar, remove: async () => {} });
  }

  async stop(): Promise<void> {
    await this.#own?.stop();
  }

  /**
   * Imports files by path. Without `adds` they become a new version regardless of existing ones; otherwise they are added to
   * the newest version.
   */
  async import(
    files: Record<string, string>,
    { adds, said, restates }: Pick<ImportSource, 'adds' | 'said' | 'restates'>,
  ): Promise<ImportOutcome> {
    const source: ImportSource = {
      kind: 'real',
      action: 'import',
      actor: 'test',
      mayShrink: true,
      source: 'test',
      files: archived(files),
      sha256: () => (adds ? sha256(JSON.stringify(files)) : sha256(randomBytes(16))),
      adds,
      restates,
      ...(said && { said }),
      brokers: { synthesizes: false, ...USUAL_ASSUMPTIONS },
    };
    return this.#own.importer.run(source, new Progress(), new AbortController().signal);
  }

  /** Removes all but the newest `keep` versions. Returns the names of the removed ones. */
  prune(keep: number): Promise<string[]> {
    return this.#own.importer.prune({ keep, stay: [] });
  }

  /** Every bar of a version, without the version's name and where it comes from. */
  bars({ version }: Dataset): Promise<Record<string, unknown>[]> {
    const query = `SELECT * EXCEPT (dataset_version, origin) FROM market.daily_bar
                   WHERE dataset_version = {version:String} ORDER BY ticker, date`;
    return clickhouseRows(this.sql, query, { version });
  }
}

/** Gives a test file an importer with its own store. Call at the top level of the file. */
export function testImporter(): TestImporter {
  const own = new TestImporter();
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
