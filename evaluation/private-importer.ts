import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '#local/state/ports.ts';
import { startClickhouseServer } from '#local/servers/clickhouse-server.ts';
import { IDX_CALENDAR, type TradingCalendar } from '#quant/exchange/calendar/trading-calendar.ts';
import { createImporter } from '#services/market-data/create-market-data.ts';
import type { Importer } from '#services/market-data/import/importer.ts';
import { ONLY_COPY } from '#services/market-data/store/store-lease.ts';
import { DatasetStore } from '#services/market-data/store/dataset-store.ts';
import { migrations } from '#services/market-data/store/migrations/index.ts';
import type { ClickHouseAddress } from '#platform/clickhouse/address.ts';
import { connectClickHouse, type ClickHouseClient } from '#platform/clickhouse/clickhouse.ts';
import { migrateClickHouse } from '#platform/clickhouse/migrate.ts';
import type { Clock } from '#foundation/clock.ts';
import { createLogger } from '#platform/operations/logger.ts';
import type { Dataset } from '#proto/saring/market_data/v1/datasets.ts';
import { DatasetImports, type ImportWork } from '#services/market-data/import/dataset-imports.ts';
import { Upload } from '#cli/commands/upload.ts';

/** Enough for statements on a whole market on a busy machine. */
const STATEMENT_TIMEOUT_MS = 120_000;

interface Place {
  at: ClickHouseAddress;
  /** Determines which days are still in the future. */
  clock: Clock;
  /** The calendar of the exchange if absent. */
  calendar?: TradingCalendar | undefined;
  /** Stops what was started for the importer and removes its data. */
  remove: () => Promise<void>;
}

/** The importer of market-data in this process, on a private ClickHouse. It serves no requests. */
export class PrivateImporter {
  readonly sql: ClickHouseClient;
  readonly store: DatasetStore;
  readonly importer: Importer;
  readonly #remove: () => Promise<void>;

  private constructor(sql: ClickHouseClient, { at, clock, calendar = IDX_CALENDAR, remove }: Place) {
    this.#remove = remove;
    this.sql = sql;
    this.store = new DatasetStore(sql);
    this.importer = createImporter({
      at,
      client: sql,
      calendar,
      store: this.store,
      clock,
      log: createLogger('import', 'silent'),
      ready: async () => {},
      lease: ONLY_COPY,
      announce: async () => {},
      trained: async () => {},
    });
  }

  /** @param clock determines which days are still in the future */
  static async start(clock: Clock): Promise<PrivateImporter> {
    const dir = await mkdtemp(path.join(tmpdir(), 'saring-clickhouse-'));
    const login = (user: string) => ({ user, password: randomBytes(16).toString('hex') });
    const server = await startClickhouseServer({
      dir,
      port: await freePort(),
      users: [login('importer')],
      analyst: login('analyst'),
    });
    const remove = async () => {
      await server.stop();
      await rm(dir, { recursive: true, force: true });
    };
    return PrivateImporter.on({ at: { url: server.url }, clock, remove });
  }

  /** Opens an importer on an existing store. */
  static async on(place: Place): Promise<PrivateImporter> {
    const sql = connectClickHouse(place.at, STATEMENT_TIMEOUT_MS);
    await migrateClickHouse(sql, 'market', migrations);
    return new PrivateImporter(sql, place);
  }

  /** Stops the importer and its server, and deletes its data. */
  async stop(): Promise<void> {
    await this.sql.close();
    await this.#remove();
  }
}

export interface MarketToImport {
  /** File or folder; undefined for an invented market. */
  dataset: string | undefined;
  /** Only for a named dataset. An invented market always has generated broker rows. */
  synthesizeBrokers: boolean;
  sample: { tickers: number; days: number };
}

const HEADER = { kind: 'real', adds: false, may_shrink: false, broker_unit: '', broker_mode: '' };
/** The seed of the market that `make run` generates. */
const SAMPLE_SEED = 1;

/** Imports the named dataset or an invented market, like `saring dataset import`. */
export async function importMarket(
  { importer }: PrivateImporter,
  { dataset, synthesizeBrokers, sample }: MarketToImport,
  work: Omit<ImportWork, 'actor'>,
): Promise<Dataset> {
  const imports = new DatasetImports(importer, sample);
  const named = { ...work, actor: 'evaluation' };
  const outcome =
    dataset === undefined
      ? await imports.sample({ seed: SAMPLE_SEED, may_shrink: false }, named)
      : await imports.upload(
          (await Upload.of(dataset)).messages({ ...HEADER, synthesize_brokers: synthesizeBrokers }),
          named,
        );
  return outcome.dataset!;
}
