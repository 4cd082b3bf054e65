import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, expect } from 'vitest';
import type { Dataset, ImportOutcome } from '#proto/saring/market_data/v1/datasets.ts';
import { connectClickHouse } from '#platform/clickhouse/clickhouse.ts';
import {
  anybody,
  datasetClient,
  marketDataClient,
  operator,
  outcomeOf,
  uploadOf,
  type UploadOptions,
} from './dataset-client.ts';
import { ClickHouseProxy } from '../servers/clickhouse-proxy.ts';
import { PrivateServer } from '../servers/private-server.ts';
import { startService, type ServiceProcess } from '../processes/service-process.ts';
import { TestedDatasets } from './tested-datasets.ts';

/** A market-data service with its own ClickHouse and NATS. Tests may kill all of them. */
export class TestMarketData extends TestedDatasets {
  clickhouse!: PrivateServer;
  natsServer!: PrivateServer;
  /** Between the service and ClickHouse, if the test wants to act at one of its statements. */
  statements!: ClickHouseProxy;
  datasets!: ReturnType<typeof datasetClient>;
  market!: ReturnType<typeof marketDataClient>;
  /** Receives the announcements of the service. */
  nats!: NatsConnection;
  readonly #isWatched: boolean;
  #service!: ServiceProcess;

  constructor({ isWatched = false } = {}) {
    super();
    this.#isWatched = isWatched;
  }

  async startServers(): Promise<void> {
    [this.clickhouse, this.natsServer] = await Promise.all([
      PrivateServer.clickhouse(),
      PrivateServer.nats(),
    ]);
    if (this.#isWatched) this.statements = await ClickHouseProxy.start(this.clickhouse.urlOf('market-data'));
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
      CLICKHOUSE_URL: this.#isWatched ? this.statements.url : this.clickhouse.urlOf('market-data'),
      NATS_URL: this.natsServer.urlOf('market-data'),
      CURSOR_SECRET: 'cursor-secret-of-a-test',
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
    this.statements?.stop();
    await Promise.all([this.clickhouse?.remove(), this.natsServer?.remove()]);
  }

  async importBytes(bytes: Buffer, options: UploadOptions = {}): Promise<ImportOutcome> {
    return (await outcomeOf(this.datasets.importDataset(uploadOf(bytes, options), operator))).outcome;
  }

  /** The version from which the service answers. */
  async answering(): Promise<string> {
    return (await this.market.getQuotes({ tickers: ['AAAA'] }, anybody)).dataset_version;
  }

  protected async listed(): Promise<Dataset[]> {
    return (await this.datasets.listDatasets({}, operator)).datasets;
  }
}

/**
 * Gives a test file its own market-data service, without data. Call at the top level of the file.
 * @param isWatched whether `statements` stands between the service and ClickHouse
 */
export function testMarketData({ isWatched = false } = {}): TestMarketData {
  const own = new TestMarketData({ isWatched });
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
