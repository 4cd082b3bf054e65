import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, expect } from 'vitest';
import { connectClickHouse, type ClickHouseClient } from '#shared/clickhouse/clickhouse.ts';
import {
  datasetClient,
  marketDataClient,
  operator,
  outcomeOf,
  uploadOf,
  type UploadOptions,
} from './dataset-client.ts';
import { HANGS_AFTER_MS } from '../hangs.ts';
import { idxFile, tarGzOf, type IdxDay } from '../markets/idx-archive.ts';
import { clickhouseRows } from '../servers/rows.ts';
import { PrivateServer } from '../servers/private-server.ts';
import { startService, type ServiceProcess } from '../processes/service-process.ts';

/** For events that the test does not trigger. They come within a second, but later on a busy machine. */
export const PATIENTLY = { timeout: HANGS_AFTER_MS };

/** A market-data service with its own ClickHouse and NATS. Tests may kill all of them. */
export class OwnMarketData {
  clickhouse!: PrivateServer;
  natsServer!: PrivateServer;
  datasets!: ReturnType<typeof datasetClient>;
  market!: ReturnType<typeof marketDataClient>;
  /** A direct connection to ClickHouse with all rights. */
  sql!: ClickHouseClient;
  /** Receives the announcements of the service. */
  nats!: NatsConnection;
  #service!: ServiceProcess;

  async startServers(): Promise<void> {
    [this.clickhouse, this.natsServer] = await Promise.all([
      PrivateServer.clickhouse(),
      PrivateServer.nats(),
    ]);
    this.sql = connectClickHouse(this.clickhouse.url);
    const { host, username, password } = new URL(this.natsServer.url);
    this.nats = await connect({ servers: host, user: username, pass: password });
  }

  async startService(): Promise<void> {
    this.#service = await startService('market-data', this.#env);
    this.datasets = datasetClient(this.#service.address);
    this.market = marketDataClient(this.#service.address);
  }

  /** Starts another copy of the service on the same servers. The test stops it. */
  startCopy(): Promise<ServiceProcess> {
    return startService('market-data', this.#env);
  }

  get pid(): number {
    return this.#service.pid;
  }

  get #env() {
    return {
      CLICKHOUSE_URL: this.clickhouse.urlOf('market-data'),
      NATS_URL: this.natsServer.urlOf('market-data'),
    };
  }

  /** The address on which the service listens. */
  get address(): string {
    return this.#service.address;
  }

  /** Stops the service. After SIGTERM its exit code must be 0. */
  async stopService(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    this.datasets.close();
    this.market.close();
    const code = await this.#service.kill(signal);
    if (signal === 'SIGTERM') expect(code).toBe(0);
  }

  async removeServers(): Promise<void> {
    await Promise.all([this.sql?.close(), this.nats?.close()]);
    await Promise.all([this.clickhouse?.remove(), this.natsServer?.remove()]);
  }

  select<Row>(query: string, params: Record<string, unknown> = {}): Promise<Row[]> {
    return clickhouseRows<Row>(this.sql, query, params);
  }

  async importBytes(bytes: Buffer, options: UploadOptions = {}) {
    return (await outcomeOf(this.datasets.importDataset(uploadOf(bytes, options), operator))).outcome;
  }

  async importFiles(files: Record<string, string>) {
    return this.importBytes(await tarGzOf(files));
  }

  /** Imports days of one ticker and returns the published bars. */
  async published(days: (IdxDay | string)[], otherFiles: Record<string, string> = {}) {
    const { dataset, rejections } = await this.importFiles({ 'bars/AAAA.csv': idxFile(days), ...otherFiles });
    const bars = await this.select<Record<string, number> & { date: string }>(
      `SELECT * FROM market.daily_bar WHERE dataset_version = {version:String} AND ticker = 'AAAA' ORDER BY date`,
      { version: dataset!.version },
    );
    return { version: dataset!.version, dataset: dataset!, rejections, bars };
  }

  /** The state that a failed import must not change. */
  async state() {
    const [tables, partitions, newest] = await Promise.all([
      this.select<{ name: string }>(`SELECT name FROM system.tables WHERE database = 'market' ORDER BY name`),
      this.select<{ name: string }>(
        `SELECT DISTINCT partition AS name FROM system.parts
         WHERE active AND database = 'market' AND partition != 'tuple()' ORDER BY name`,
      ),
      this.datasets.listDatasets({}, operator),
    ]);
    return { tables, partitions, newest: newest.datasets };
  }
}

/** Gives a test file its own market-data service, without data. Call at the top level of the file. */
export function ownMarketData(): OwnMarketData {
  const own = new OwnMarketData();
  beforeAll(async () => {
    await own.startServers();
    await own.startService();
  });
  afterAll(async () => {
    try {
      await own.stopService();
    } finally {
      await own.removeServers();
    }
  });
  return own;
}
